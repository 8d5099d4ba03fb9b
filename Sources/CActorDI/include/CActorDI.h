// System services that Swift cannot express: a thread-local word, a memory barrier for all threads of the
// process, plain memory, blocking waits, and the bounds of a stack.
#ifndef CACTORDI_H
#define CACTORDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: The calling thread's record

// The initial-exec model makes the access a single load: the library is linked into the program or loaded
// with it. ThreadRecord.swift owns the word; this library only stores it.
#if defined(__ELF__)
extern _Thread_local void *_Nullable actordi_thread_slot __attribute__((tls_model("initial-exec")));
#else
extern _Thread_local void *_Nullable actordi_thread_slot;
#endif

static inline __attribute__((always_inline)) void *_Nullable actordi_thread_record(void) {
  return actordi_thread_slot;
}

// Assigns `record` to the calling thread. `on_exit` receives the record when the thread ends.
void actordi_thread_adopt(void *record, void (*on_exit)(void *));

// MARK: Barriers

// Stops the compiler, but not the processor, from moving memory accesses across.
static inline __attribute__((always_inline)) void actordi_compiler_fence(void) {
  __asm__ volatile("" ::: "memory");
}

// Whether `actordi_process_barrier` orders the accesses of all other threads of the process. If not, readers
// must execute fences themselves.
bool actordi_has_process_barrier(void);

// Executes a full barrier on the calling thread and, where available, on every running thread of the process.
void actordi_process_barrier(void);

// The time in nanoseconds, on a monotonic clock.
uint64_t actordi_now(void);

// The time of the last clock tick, up to a few milliseconds ago, for a third of the cost. Precise enough for
// the age of an object in messages.
uint64_t actordi_tick(void);

// MARK: Memory

// Allocates memory as `malloc` does. Swift's `allocate` would use the system's aligned allocation here, at
// several times the cost.
void *actordi_allocate(size_t byte_count);
void actordi_free(void *memory);

// Returns the same address, but hides its origin from the compiler. Generates no instruction.
static inline __attribute__((always_inline)) void *actordi_hidden(void *address) {
  __asm__("" : "+r"(address));
  return address;
}

// MARK: The stack

// The address of the caller's frame, which shows the current depth of the stack.
static inline __attribute__((always_inline)) uintptr_t actordi_frame_address(void) {
  return (uintptr_t)__builtin_frame_address(0);
}

// The lowest address to which the calling thread's stack may grow; 0 if the system does not provide it.
uintptr_t actordi_stack_limit(void);

// MARK: The calling task

// The address of the calling task; NULL outside of any task.
const void *_Nullable actordi_current_task(void);

// Whether the caller runs on the main actor's executor.
bool actordi_is_on_main_executor(void);

// MARK: Blocking waits

// A one-shot event on which a thread can block. It is created, signalled once, and destroyed after the wait.
typedef struct actordi_parker actordi_parker;
actordi_parker *actordi_parker_create(void);
void actordi_parker_wait(actordi_parker *parker);
void actordi_parker_signal(actordi_parker *parker);
void actordi_parker_destroy(actordi_parker *parker);

// MARK: ThreadSanitizer

// Inform ThreadSanitizer of an ordering that it cannot see. Both are empty without the sanitizer.
void actordi_tsan_acquire(const void *address);
void actordi_tsan_release(const void *address);

#pragma clang assume_nonnull end

#endif
