#include "CActorDI.h"

#include <stdlib.h>

void *actordi_allocate(size_t byte_count) {
  void *memory = malloc(byte_count);
  if (!memory) abort();
  return memory;
}

void actordi_free(void *memory) { free(memory); }
