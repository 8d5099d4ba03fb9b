#ifndef C_REFERENCE_COUNTER_H
#define C_REFERENCE_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The changes of one object's reference count.
typedef struct {
  /// The address of the object.
  uintptr_t object;
  /// The first word of the object, which refers to its type.
  uintptr_t type;
  /// The number of retains and releases.
  uint64_t changes;
} reference_changes;

/// The changes that one thread has counted, by object.
typedef struct reference_table reference_table;

/// Whether the Swift runtime of this process lets a program replace its retain and release functions.
bool reference_counter_available(void);

/// Creates an empty table; NULL if there is no memory.
reference_table *reference_table_create(void);

void reference_table_destroy(reference_table *table);

/// Counts the changes that the calling thread makes from now on. The retains and releases of all threads are slower meanwhile.
void reference_counter_begin(reference_table *table);

/// Ends the count that the calling thread has begun.
void reference_counter_end(void);

/// Whether the table has ignored objects because it was full.
bool reference_table_overflowed(const reference_table *table);

/// Copies the changes of the first table's objects that the second table contains, too.
///
/// Returns the number of these objects, which may exceed the capacity of the result.
size_t reference_table_shared(
    const reference_table *table, const reference_table *other, reference_changes *result, size_t capacity);

#endif
