#include "CActorDI.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ACTORDI_TSAN 1
#endif
#endif

#if defined(ACTORDI_TSAN)
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void actordi_tsan_acquire(const void *address) { __tsan_acquire((void *)address); }
void actordi_tsan_release(const void *address) { __tsan_release((void *)address); }
#else
void actordi_tsan_acquire(const void *address) { (void)address; }
void actordi_tsan_release(const void *address) { (void)address; }
#endif
