// What the library needs of the system and Swift cannot say: a thread-local word, a memory barrier
// that all threads of the process pay for at once, plain memory, blocking waits, and the bounds of a stack.
#ifndef CACTORDI_H
#define CACTORDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: The calling thread's record

// The initial-exec model makes the access one load: the library is linked into the program or loaded
// with it. The word belongs to ThreadRecord.swift; this side only stores it.
#if defined(__ELF__)
extern _Thread_local void *_Nullable actordi_thread_slot __attribute__((tls_model("initial-exec")));
#else
extern _Thread_local void *_Nullable actordi_thread_slot;
#endif

static inline __attribute__((always_inline)) void *_Nullable actordi_thread_record(void) {
  return actordi_thread_slot;
}

// Makes `record` the calling thread's; `on_exit` gets it back when the thread ends.
void actordi_thread_adopt(void *record, void (*on_exit)(void *));

// MARK: Barriers

// Keeps the compiler, not the processor, from moving memory accesses across.
static inline __attribute__((always_inline)) void actordi_compiler_fence(void) {
  __asm__ volatile("" ::: "memory");
}

// Whether `actordi_process_barrier` orders the accesses of all other threads of the process. Where it
// does not, readers have to order theirs themselves.
bool actordi_has_process_barrier(void);

// A full barrier on the calling thread and, where available, on every running thread of the process.
void actordi_process_barrier(void);

// Nanoseconds on a clock that only goes forward.
uint64_t actordi_now(void);

// The same time as it was at the last tick of a few milliseconds, for a third of the price: how old something is, for people.
uint64_t actordi_tick(void);

// MARK: Memory

// As `malloc`, which Swift's own `allocate` is not here: that takes the system's way for unusual alignments, at several times the cost.
void *actordi_allocate(size_t byte_count);
void actordi_free(void *memory);

// The same address, of which the compiler no longer knows where it comes from: no instruction.
static inline __attribute__((always_inline)) void *actordi_hidden(void *address) {
  __asm__("" : "+r"(address));
  return address;
}

// MARK: The stack

// The address of the caller's frame: how deep the stack is now.
static inline __attribute__((always_inline)) uintptr_t actordi_frame_address(void) {
  return (uintptr_t)__builtin_frame_address(0);
}

// The lowest address the calling thread's stack may grow to; 0 when the system does not tell.
uintptr_t actordi_stack_limit(void);

// Whether the caller runs on the main actor's executor.
bool actordi_is_on_main_executor(void);

// MARK: Blocking waits

// A one-shot event that a thread can block on. Created, signalled once, destroyed after the wait.
typedef struct actordi_parker actordi_parker;
actordi_parker *actordi_parker_create(void);
void actordi_parker_wait(actordi_parker *parker);
void actordi_parker_signal(actordi_parker *parker);
void actordi_parker_destroy(actordi_parker *parker);

// MARK: ThreadSanitizer

// Tell the sanitizer of an ordering it cannot see by itself. Nothing without it.
void actordi_tsan_acquire(const void *address);
void actordi_tsan_release(const void *address);

#pragma clang assume_nonnull end

#endif
