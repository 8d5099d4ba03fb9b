// Counts changes of reference counts by replacing the functions with which the Swift runtime retains and releases objects.
//
// The runtime keeps these functions in variables for the sake of debugging tools, and calls them through the variables while a flag is
// set. The flag is set only during a count, so that all other measurements call the runtime's own functions directly.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CReferenceCounter.h"

#include <stdatomic.h>
#include <stdlib.h>

// The references to the runtime's variables are weak, so that a program links also with a runtime that lacks them.
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <link.h>
#include <pthread.h>

// The calling convention of the runtime's retain and release functions on these processors: they preserve almost all registers.
#define REFERENCE_CALL __attribute__((preserve_most))

typedef void *(*retain_function)(void *) REFERENCE_CALL;
typedef void *(*retain_many_function)(void *, uint32_t) REFERENCE_CALL;
typedef void (*release_function)(void *) REFERENCE_CALL;
typedef void (*release_many_function)(void *, uint32_t) REFERENCE_CALL;

extern _Atomic(retain_function) _swift_retain __attribute__((weak));
extern _Atomic(retain_many_function) _swift_retain_n __attribute__((weak));
extern _Atomic(release_function) _swift_release __attribute__((weak));
extern _Atomic(release_many_function) _swift_release_n __attribute__((weak));
extern atomic_bool _swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly __attribute__((weak));

// More than the objects that a thousand operations leave behind.
#define CAPACITY_BITS 16
#define CAPACITY ((size_t)1 << CAPACITY_BITS)

struct reference_table {
  bool overflowed;
  size_t count;
  reference_changes entries[CAPACITY];
};

// The initial-exec model: an access never allocates or retains.
static _Thread_local reference_table *current __attribute__((tls_model("initial-exec")));

static retain_function retain;
static retain_many_function retain_many;
static release_function release;
static release_many_function release_many;

// The number of threads that count, and the lock that guards it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t counting;

// The upper bits of the addresses near the executable, where the heap begins, and near the stack, where mapped memory lies.
static uintptr_t executable_bits;
static uintptr_t stack_bits;

static inline uintptr_t upper_bits(uintptr_t address) { return address >> 40; }

// The addresses of the executable and of the libraries.
#define MOST_IMAGES 256
typedef struct { uintptr_t start, end; } image;
static image images[MOST_IMAGES];
static size_t image_count;

static int add_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  if (image_count == MOST_IMAGES) return 1;
  image found = {.start = UINTPTR_MAX, .end = 0};
  for (int index = 0; index < info->dlpi_phnum; index += 1) {
    if (info->dlpi_phdr[index].p_type != PT_LOAD) continue;
    uintptr_t start = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
    uintptr_t end = start + info->dlpi_phdr[index].p_memsz;
    if (start < found.start) found.start = start;
    if (end > found.end) found.end = end;
  }
  images[image_count] = found;
  image_count += 1;
  return 0;
}

static bool is_in_image(uintptr_t address) {
  for (size_t index = 0; index < image_count; index += 1) {
    if (address >= images[index].start && address < images[index].end) return true;
  }
  return false;
}

// Whether a word can be the second word of an object, which contains its reference counts.
//
// The lower half counts the unowned references, of which there are few, and has its lowest bit set. That of an immortal object is all ones.
// A word with its two highest bits set refers to counts elsewhere.
static bool is_count(uint64_t word) {
  uint32_t lower_half = (uint32_t)word;
  return ((lower_half & 1) != 0 && lower_half <= UINT16_MAX) || lower_half == UINT32_MAX || word >> 62 == 3;
}

// Whether the address is that of an object with a reference count outside of the images.
//
// The runtime of Swift 6.3 clears the tags of a pointer before it calls the replaced retain function (swiftlang/swift#88924), but not
// before it calls the others. So the function also gets strings that are no objects, at whose addresses it must write nothing:
//
// - A string literal lies in an image, as all immortal objects do.
// - A short string becomes an address of its characters. The upper bits of that address are zero or one character, which no object's are,
//   except by a rare chance. Each memory area may reach across one boundary, the heap upwards and mapped memory downwards.
// - The text of a floating-point number lies on the stack, as some objects do, while it is appended to a string. The word in the place of
//   the reference counts is a return address, another address, a length or text, and a retain would change it for good.
static bool is_object(const void *object) {
  uintptr_t bits = upper_bits((uintptr_t)object);
  bool is_in_area =
      bits == executable_bits || bits == executable_bits + 1 || bits == stack_bits || bits == stack_bits - 1;
  return is_in_area && !is_in_image((uintptr_t)object) && is_count(((const uint64_t *)object)[1]);
}

// The count of an immortal object is never written. The lower half of its count is all ones.
static inline bool is_immortal(const void *object) {
  return (uint32_t)((const uint64_t *)object)[1] == UINT32_MAX;
}

// Finds the entry of an object, or the free one in which it belongs, by linear probing from a multiplicative hash.
static size_t find(const reference_table *table, uintptr_t object) {
  size_t index = (size_t)(((object >> 4) * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - CAPACITY_BITS));
  while (table->entries[index].object != 0 && table->entries[index].object != object) {
    index = (index + 1) % CAPACITY;
  }
  return index;
}

static void note(void *object) {
  reference_table *table = current;
  if (table == NULL || !is_object(object) || is_immortal(object)) return;
  reference_changes *entry = &table->entries[find(table, (uintptr_t)object)];
  if (entry->object == 0) {
    // Some entries stay free, at which a search ends.
    if (table->count >= CAPACITY / 4 * 3) {
      table->overflowed = true;
      return;
    }
    table->count += 1;
    *entry = (reference_changes){.object = (uintptr_t)object, .type = *(uintptr_t *)object};
  }
  entry->changes += 1;
}

REFERENCE_CALL static void *counted_retain(void *object) {
  if (!is_object(object)) return object;
  note(object);
  return retain(object);
}

REFERENCE_CALL static void *counted_retain_many(void *object, uint32_t count) {
  note(object);
  return retain_many(object, count);
}

REFERENCE_CALL static void counted_release(void *object) {
  note(object);
  release(object);
}

REFERENCE_CALL static void counted_release_many(void *object, uint32_t count) {
  note(object);
  release_many(object, count);
}

bool reference_counter_available(void) {
  return &_swift_retain != NULL && &_swift_retain_n != NULL && &_swift_release != NULL && &_swift_release_n != NULL
      && &_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly != NULL;
}

void reference_counter_begin(reference_table *table) {
  pthread_mutex_lock(&lock);
  if (retain == NULL) {
    retain = atomic_load(&_swift_retain);
    retain_many = atomic_load(&_swift_retain_n);
    release = atomic_load(&_swift_release);
    release_many = atomic_load(&_swift_release_n);
    executable_bits = upper_bits((uintptr_t)&lock);
    stack_bits = upper_bits((uintptr_t)&table);
    dl_iterate_phdr(add_image, NULL);
    atomic_store(&_swift_retain, counted_retain);
    atomic_store(&_swift_retain_n, counted_retain_many);
    atomic_store(&_swift_release, counted_release);
    atomic_store(&_swift_release_n, counted_release_many);
  }
  counting += 1;
  atomic_store(&_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly, true);
  pthread_mutex_unlock(&lock);
  current = table;
}

void reference_counter_end(void) {
  current = NULL;
  pthread_mutex_lock(&lock);
  counting -= 1;
  if (counting == 0) {
    atomic_store(&_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly, false);
  }
  pthread_mutex_unlock(&lock);
}

reference_table *reference_table_create(void) { return calloc(1, sizeof(reference_table)); }

void reference_table_destroy(reference_table *table) { free(table); }

bool reference_table_overflowed(const reference_table *table) { return table->overflowed; }

size_t reference_table_shared(
    const reference_table *table, const reference_table *other, reference_changes *result, size_t capacity) {
  size_t count = 0;
  for (size_t index = 0; index < CAPACITY; index += 1) {
    reference_changes entry = table->entries[index];
    if (entry.object == 0 || other->entries[find(other, entry.object)].object == 0) continue;
    if (count < capacity) result[count] = entry;
    count += 1;
  }
  return count;
}

#else

bool reference_counter_available(void) { return false; }

reference_table *reference_table_create(void) { return NULL; }

void reference_table_destroy(reference_table *table) { (void)table; }

void reference_counter_begin(reference_table *table) { (void)table; }

void reference_counter_end(void) {}

bool reference_table_overflowed(const reference_table *table) {
  (void)table;
  return false;
}

size_t reference_table_shared(
    const reference_table *table, const reference_table *other, reference_changes *result, size_t capacity) {
  (void)table;
  (void)other;
  (void)result;
  (void)capacity;
  return 0;
}

#endif
