// Counts heap allocations by interposing the C library's allocator.
//
// An executable's own `malloc` takes precedence over the C library's for every
// library in the process, including the Swift runtime. Each function here
// counts the call and forwards it to the corresponding glibc function. The
// counts include allocations during start-up, so only the difference between
// two readings is meaningful.

#include "CAllocationCounter.h"

#include <stdatomic.h>
#include <stddef.h>

#if defined(__linux__)
#include <features.h>
#endif

#if !defined(__has_feature)
#define __has_feature(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) \
    || __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) \
    || __has_feature(memory_sanitizer) || __has_feature(leak_sanitizer)
#define COUNTER_SANITIZED 1
#else
#define COUNTER_SANITIZED 0
#endif

#if defined(__linux__) && defined(__GLIBC__) && !COUNTER_SANITIZED

#include <errno.h>
#include <malloc.h>

// The entry points that glibc exports for interposing allocators.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// The initial-exec model: an access to the counter never allocates.
static _Thread_local uint64_t thread_count __attribute__((tls_model("initial-exec")));
static atomic_bool gathering;
static atomic_uint_fast64_t gathered;

static inline void count_one(void) {
  thread_count += 1;
  if (__builtin_expect(atomic_load_explicit(&gathering, memory_order_relaxed), 0)) {
    atomic_fetch_add_explicit(&gathered, 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_one();
  return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
  count_one();
  return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  // POSIX requires a power of two that is a multiple of the pointer size.
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return EINVAL;
  }
  count_one();
  int saved = errno;
  void *memory = __libc_memalign(alignment, size);
  errno = saved;
  if (memory == NULL) {
    return ENOMEM;
  }
  *result = memory;
  return 0;
}

bool allocation_counter_available(void) { return true; }

uint64_t allocation_counter_of_thread(void) { return thread_count; }

void allocation_counter_set_gathering(bool on) {
  atomic_store_explicit(&gathering, on, memory_order_seq_cst);
}

uint64_t allocation_counter_gathered(void) {
  return atomic_load_explicit(&gathered, memory_order_seq_cst);
}

#if __GLIBC_PREREQ(2, 33)

bool allocator_live_bytes_available(void) { return true; }

uint64_t allocator_live_bytes(void) {
  struct mallinfo2 information = mallinfo2();
  return (uint64_t)information.uordblks + (uint64_t)information.hblkhd;
}

#else

bool allocator_live_bytes_available(void) { return false; }

uint64_t allocator_live_bytes(void) { return 0; }

#endif

#else

bool allocator_live_bytes_available(void) { return false; }

uint64_t allocator_live_bytes(void) { return 0; }

bool allocation_counter_available(void) { return false; }

uint64_t allocation_counter_of_thread(void) { return 0; }

void allocation_counter_set_gathering(bool on) { (void)on; }

uint64_t allocation_counter_gathered(void) { return 0; }

#endif
