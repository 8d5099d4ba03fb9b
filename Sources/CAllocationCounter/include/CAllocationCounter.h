#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether heap allocations are counted in this build. They are on Linux with
/// glibc; not elsewhere, and not under a sanitizer, which has an allocator of
/// its own in this place.
bool allocation_counter_available(void);

/// The allocations made by the calling thread so far.
uint64_t allocation_counter_of_thread(void);

/// Turns the count over all threads on or off. It is off while times are taken,
/// because it is one shared cache line that every allocating thread writes.
void allocation_counter_set_gathering(bool gathering);

/// The allocations that all threads made while gathering was on.
uint64_t allocation_counter_gathered(void);

/// Whether the allocator tells how much of the heap is in use. It does where allocations are counted.
bool allocator_live_bytes_available(void);

/// The bytes of the heap that are in use, as the allocator accounts for them: all its arenas, the
/// head of each block and its rounding included. What threads keep for themselves of the
/// small blocks that they have freed counts as in use; it is little, and does not grow.
uint64_t allocator_live_bytes(void);

/// Whether calls of `syscall` are counted in this build. They are on Linux with
/// glibc, on x86-64 and arm64.
bool system_call_counter_available(void);

/// The calls of `syscall` that all threads of the process have made. What the C
/// library asks of the kernel by itself is not among them.
uint64_t system_calls_made(void);

/// Makes a system call that does nothing, by way of `syscall`.
void system_call_counter_try(void);

/// How often the calling thread has given up its processor to wait for something;
/// 0 where the system does not tell.
uint64_t thread_waits(void);

#endif
