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

#endif
