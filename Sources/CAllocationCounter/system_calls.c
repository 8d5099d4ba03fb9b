// Counts system calls by interposing the C library's `syscall`.
//
// An executable's own `syscall` takes precedence over the C library's, as its `malloc` does. This function counts the call and makes it
// directly. The C library does not use `syscall` for its own system calls. Code uses it for system calls without a function in the C
// library, such as `membarrier` and `futex`.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CAllocationCounter.h"

#include <stdatomic.h>

#if defined(__linux__)
#include <features.h>
#include <sys/resource.h>
#endif

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint_fast64_t made;

static inline long make(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return result;
#else
  register long call __asm__("x8") = number;
  register long first __asm__("x0") = a;
  register long second __asm__("x1") = b;
  register long third __asm__("x2") = c;
  register long fourth __asm__("x3") = d;
  register long fifth __asm__("x4") = e;
  register long sixth __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(first)
                   : "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "memory");
  return first;
#endif
}

long syscall(long number, ...) {
  // Reads six arguments, the maximum. The kernel ignores those that the call does not have.
  va_list arguments;
  va_start(arguments, number);
  long a = va_arg(arguments, long), b = va_arg(arguments, long), c = va_arg(arguments, long);
  long d = va_arg(arguments, long), e = va_arg(arguments, long), f = va_arg(arguments, long);
  va_end(arguments);
  atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
  long result = make(number, a, b, c, d, e, f);
  if (result < 0 && result >= -4095) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

// Shared libraries call this `syscall` only if the executable exports it.
bool system_call_counter_available(void) { return dlsym(RTLD_DEFAULT, "syscall") == (void *)syscall; }

uint64_t system_calls_made(void) { return atomic_load_explicit(&made, memory_order_relaxed); }

void system_call_counter_try(void) { (void)syscall(SYS_getppid); }

#else

bool system_call_counter_available(void) { return false; }

uint64_t system_calls_made(void) { return 0; }

void system_call_counter_try(void) {}

#endif

#if defined(__linux__)

uint64_t thread_waits(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_nvcsw : 0;
}

#else

uint64_t thread_waits(void) { return 0; }

#endif
