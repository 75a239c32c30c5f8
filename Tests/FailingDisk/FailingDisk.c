#include "FailingDisk.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic ino_t failing_file;

void failing_disk_set(ino_t file) { failing_file = file; }

static bool is_failing(int descriptor, bool is_folder) {
  struct stat file;
  ino_t failing = failing_file;
  return failing != 0 && fstat(descriptor, &file) == 0 && file.st_ino == failing &&
         S_ISDIR(file.st_mode) == is_folder;
}

static int fail(void) {
  errno = EIO;
  return -1;
}

// In place of the functions of the C library, because the symbols of a program come first. SQLite calls this one to wait
// for the disk, also for the names of its own files.
int fdatasync(int descriptor) {
  // The same, and more.
  return is_failing(descriptor, false) ? fail() : (int)syscall(SYS_fsync, descriptor);
}

// Foundation calls this one.
int fsync(int descriptor) {
  return is_failing(descriptor, true) ? fail() : (int)syscall(SYS_fsync, descriptor);
}
