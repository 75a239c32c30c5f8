#pragma once

#include <sys/types.h>

/// Makes the disk confirm nothing that is written to the file with this number (`st_ino`), or no new name in the folder
/// with this number; 0 ends it.
void failing_disk_set(ino_t file);
