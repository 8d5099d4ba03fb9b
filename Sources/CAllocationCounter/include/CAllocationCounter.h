#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build counts heap allocations. It does on Linux with glibc, but
/// not under a sanitizer, which interposes its own allocator.
bool allocation_counter_available(void);

/// The number of allocations that the calling thread has made so far.
uint64_t allocation_counter_of_thread(void);

/// Turns the count over all threads on or off. Keep it off while measuring times:
/// every allocating thread writes its single shared cache line.
void allocation_counter_set_gathering(bool gathering);

/// The number of allocations that all threads have made while gathering was on.
uint64_t allocation_counter_gathered(void);

/// Whether the allocator reports the live bytes of the heap. It does where allocations are counted, with glibc 2.33 or later.
bool allocator_live_bytes_available(void);

/// The live bytes of the heap over all arenas, as the allocator accounts for them. They include the
/// header and the rounding of each block, and the small freed blocks in the threads' caches. These
/// caches are small and of limited size.
uint64_t allocator_live_bytes(void);

/// Whether calls of `syscall` are counted in this process. They are on Linux with
/// glibc, on x86-64 and arm64, if the executable exports its `syscall`.
bool system_call_counter_available(void);

/// The number of `syscall` calls by all threads of the process. The system calls
/// that the C library makes internally are not counted.
uint64_t system_calls_made(void);

/// Makes a system call without effect through `syscall`, to test the counter.
void system_call_counter_try(void);

/// The number of times that the calling thread has given up its processor to
/// wait; 0 on systems other than Linux.
uint64_t thread_waits(void);

#endif
