#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CActorDI.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

_Thread_local void *actordi_thread_slot;

typedef void (*thread_exit_handler)(void *);

// A key's destructor is the portable notification of a thread's end.
static pthread_key_t exit_key;
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;
// Atomic only to satisfy the memory model: every thread stores the same function.
static _Atomic(thread_exit_handler) exit_handler;

static void thread_did_exit(void *record) {
  // Destructors that run later may resolve again. The thread then gets another record, and this key's
  // destructor runs once more for it.
  actordi_thread_slot = NULL;
  thread_exit_handler handler = atomic_load_explicit(&exit_handler, memory_order_relaxed);
  handler(record);
}

static void make_exit_key(void) {
  // Without the key, no thread would ever return its record.
  if (pthread_key_create(&exit_key, thread_did_exit) != 0) abort();
}

void actordi_thread_adopt(void *record, void (*on_exit)(void *)) {
  atomic_store_explicit(&exit_handler, on_exit, memory_order_relaxed);
  pthread_once(&exit_key_once, make_exit_key);
  pthread_setspecific(exit_key, record);
  actordi_thread_slot = record;
}

uintptr_t actordi_stack_limit(void) {
#if defined(__APPLE__)
  pthread_t self = pthread_self();
  return (uintptr_t)pthread_get_stackaddr_np(self) - pthread_get_stacksize_np(self);
#elif defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void *lowest = NULL;
  size_t size = 0, guard = 0;
  int failed = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_getguardsize(&attributes, &guard);
  pthread_attr_destroy(&attributes);
  return failed ? 0 : (uintptr_t)lowest + guard;
#else
  return 0;
#endif
}

// The runtime's entry point for code that the compiler emits, as in `withUnsafeCurrentTask`.
__attribute__((swiftcall)) extern const void *_Nullable swift_task_getCurrent(void);

const void *actordi_current_task(void) { return swift_task_getCurrent(); }

// The main queue. The runtime's check outside of tasks compares threads. On Linux, a program with an asynchronous main ends
// its first thread, and serves the main queue from others. So `MainActor.assumeIsolated` also asks the queue, but traps if
// the answer is no. Weak, because a program may have no libdispatch.
typedef struct dispatch_queue_s dispatch_queue;
extern dispatch_queue _dispatch_main_q __attribute__((weak));
extern const char *dispatch_queue_get_label(dispatch_queue *_Nullable) __attribute__((weak));

static bool is_on_main_queue(void) {
  if (!dispatch_queue_get_label || !&_dispatch_main_q) return false;
  // Of the current queue. Each queue has a label of its own, even if two labels have the same text.
  return dispatch_queue_get_label(NULL) == dispatch_queue_get_label(&_dispatch_main_q);
}

// The concurrency runtime's own check. Weak, because an older runtime lacks the function that answers without trapping.
typedef struct {
  void *identity;
  uintptr_t implementation;
} executor_reference;
__attribute__((swiftcall)) extern executor_reference swift_task_getMainExecutor(void) __attribute__((weak));
__attribute__((swiftcall)) extern bool swift_task_isCurrentExecutorWithFlags(executor_reference, uintptr_t)
    __attribute__((weak));

bool actordi_is_on_main_executor(void) {
  if (is_on_main_queue()) return true;
  if (swift_task_getMainExecutor && swift_task_isCurrentExecutorWithFlags) {
    return swift_task_isCurrentExecutorWithFlags(swift_task_getMainExecutor(), 0);
  }
#if defined(__APPLE__)
  return pthread_main_np() != 0;
#elif defined(__linux__)
  return getpid() == gettid();
#else
  return false;
#endif
}

struct actordi_parker {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool signalled;
};

actordi_parker *actordi_parker_create(void) {
  actordi_parker *parker = malloc(sizeof *parker);
  if (!parker) abort();
  pthread_mutex_init(&parker->mutex, NULL);
  pthread_cond_init(&parker->condition, NULL);
  parker->signalled = false;
  return parker;
}

void actordi_parker_wait(actordi_parker *parker) {
  pthread_mutex_lock(&parker->mutex);
  while (!parker->signalled) pthread_cond_wait(&parker->condition, &parker->mutex);
  pthread_mutex_unlock(&parker->mutex);
}

void actordi_parker_signal(actordi_parker *parker) {
  // Signalled under the mutex: the waiter may destroy the parker as soon as it holds the mutex itself.
  pthread_mutex_lock(&parker->mutex);
  parker->signalled = true;
  pthread_cond_signal(&parker->condition);
  pthread_mutex_unlock(&parker->mutex);
}

void actordi_parker_destroy(actordi_parker *parker) {
  pthread_cond_destroy(&parker->condition);
  pthread_mutex_destroy(&parker->mutex);
  free(parker);
}
