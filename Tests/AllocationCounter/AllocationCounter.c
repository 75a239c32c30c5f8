#include "AllocationCounter.h"

#include <errno.h>
#include <malloc.h>

static _Thread_local bool is_counting;
static _Thread_local AllocationCounts counts;

void allocation_counter_start(void) {
  counts = (AllocationCounts){0};
  is_counting = true;
}

AllocationCounts allocation_counter_stop(void) {
  is_counting = false;
  return counts;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#ifdef HAS_SANITIZER

bool allocation_counter_is_available(void) { return false; }

#else

bool allocation_counter_is_available(void) { return true; }

// The allocator of glibc by the names under which it cannot be replaced.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

// Notes a block that was given, and hands it on.
static void *given(void *block) {
  if (is_counting && block) {
    counts.allocations += 1;
    counts.blocks += 1;
    counts.bytes += (ptrdiff_t)malloc_usable_size(block);
    if (counts.bytes > counts.peakBytes) counts.peakBytes = counts.bytes;
  }
  return block;
}

// Notes a block that is given back, which may be older than the counting.
static void returned(void *block) {
  if (is_counting && block) {
    counts.blocks -= 1;
    counts.bytes -= (ptrdiff_t)malloc_usable_size(block);
  }
}

void *malloc(size_t size) { return given(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return given(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
  // Whether the block moves is known afterwards only, when its old size is gone. If there is no
  // memory, the block stays, and the count is short of it: then the program has other worries.
  returned(block);
  return given(__libc_realloc(block, size));
}

void *memalign(size_t alignment, size_t size) { return given(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
    return EINVAL;
  }
  void *result = memalign(alignment, size);
  if (!result) return ENOMEM;
  *block = result;
  return 0;
}

void free(void *block) {
  returned(block);
  __libc_free(block);
}

#endif
