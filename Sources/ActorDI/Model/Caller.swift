/// How a caller can wait: by suspending, or only by blocking its thread.
// Frozen, because an inlined function passes it.
@usableFromInline @frozen
enum Caller: Sendable { case synchronous, asynchronous }
