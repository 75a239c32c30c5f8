// Counts what the calling thread asks of the allocator. A program that links this takes malloc and its
// kin from here; they hand on to glibc's.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  // Calls that gave memory; one of realloc counts.
  ptrdiff_t allocations;
  // The blocks given that are not given back.
  ptrdiff_t blocks;
  // The bytes in them, as the allocator rounds them, and the most there were at one time.
  ptrdiff_t bytes;
  ptrdiff_t peakBytes;
} AllocationCounts;

// Whether this program can count. One that is built with a sanitizer cannot, because that has an
// allocator of its own: all counts are zero then.
bool allocation_counter_is_available(void);

// Begins to count on the calling thread, from zero.
void allocation_counter_start(void);

// Ends to count on the calling thread, and gives the counts.
AllocationCounts allocation_counter_stop(void);

#endif
