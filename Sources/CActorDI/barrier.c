#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CActorDI.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

uint64_t actordi_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t actordi_tick(void) {
  struct timespec now;
#if defined(CLOCK_MONOTONIC_COARSE)
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
  clock_gettime(CLOCK_MONOTONIC, &now);
#endif
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

// From <linux/membarrier.h>, which older C libraries lack.
enum {
  membarrier_query = 0,
  membarrier_private_expedited = 1 << 3,
  membarrier_register_private_expedited = 1 << 4,
};

static long membarrier(int command) {
#if defined(SYS_membarrier)
  return syscall(SYS_membarrier, command, 0, 0);
#else
  (void)command;
  return -1;
#endif
}

static pthread_once_t registered = PTHREAD_ONCE_INIT;
static bool available;

static void register_barrier(void) {
  long commands = membarrier(membarrier_query);
  available = commands > 0 && (commands & membarrier_private_expedited) &&
              membarrier(membarrier_register_private_expedited) == 0;
}

// At load time most programs have one thread, and registering takes no time. With several threads, the kernel
// waits for all processors, so the first resolve of a program would take milliseconds.
__attribute__((constructor)) static void register_early(void) { pthread_once(&registered, register_barrier); }

bool actordi_has_process_barrier(void) {
  pthread_once(&registered, register_barrier);
  return available;
}

void actordi_process_barrier(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!actordi_has_process_barrier()) return;
  // Without the barrier, readers could use memory that is freed next. On machines with many processors, the
  // kernel may be short of memory for it and succeed later.
  while (membarrier(membarrier_private_expedited) != 0) {
    if (errno != ENOMEM) abort();
  }
}

#else

bool actordi_has_process_barrier(void) { return false; }
void actordi_process_barrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
