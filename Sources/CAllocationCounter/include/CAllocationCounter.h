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

#endif
