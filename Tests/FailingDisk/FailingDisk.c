#include "FailingDisk.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic ino_t failing_file;

void failing_disk_set(ino_t file) { failing_file = file; }

// In place of the function of the C library, because the symbols of a program come first. SQLite calls it to wait for
// the disk.
int fdatasync(int descriptor) {
  struct stat file;
  ino_t failing = failing_file;
  if (failing != 0 && fstat(descriptor, &file) == 0 && file.st_ino == failing) {
    errno = EIO;
    return -1;
  }
  // The same, and more.
  return fsync(descriptor);
}
