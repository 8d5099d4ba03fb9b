import ActorDI
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads of the operating system, which can block but not suspend.
enum Threads {
  /// Runs `body` on `count` threads that start together. Suspends until all have ended.
  ///
  /// - Parameter stackSize: The stack's size in bytes; nil for the system's default.
  static func run(
    _ count: Int, stackSize: Int? = nil, _ body: @escaping @Sendable (_ index: Int) -> Void
  ) async {
    let line = StartLine(count)
    let ended = Countdown(count)
    for index in 0..<count {
      start(stackSize: stackSize) {
        line.wait()
        body(index)
        ended.signal()
      }
    }
    await ended.wait()
  }

  /// Starts a detached thread.
  static func start(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    if let stackSize { unsafe pthread_attr_setstacksize(&attributes, stackSize) }
    let start = unsafe Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        #if canImport(Darwin)
          let start = unsafe Unmanaged<Start>.fromOpaque(argument)
        #else
          guard let argument = unsafe argument else { return nil }
          let start = unsafe Unmanaged<Start>.fromOpaque(argument)
        #endif
        unsafe start.takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    precondition(code == 0, "The system cannot start another thread")
  }

  /// The thread's closure, as an object that fits the thread's pointer argument.
  private final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func yield() { sched_yield() }
}

/// A reusable barrier for a number of threads.
final class StartLine: Sendable {
  private let count: Int
  private let arrived = Atomic<Int>(0)

  init(_ count: Int) { self.count = count }

  /// Blocks until all threads have called this method as often as the calling thread.
  func wait() {
    let ticket = arrived.add(1, ordering: .acquiringAndReleasing).oldValue
    let last = (ticket / count + 1) * count
    while arrived.load(ordering: .acquiring) < last { Threads.yield() }
  }
}
