import ActorDI
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads of the operating system: callers that can block but not suspend.
enum Threads {
  /// Runs `body` on `count` threads, which start together, and returns when all have ended.
  ///
  /// - Parameter stackSize: In bytes; the system's default if nil.
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

  /// Starts a thread that nobody joins.
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
    precondition(code == 0, "the system has no more threads to give")
  }

  /// What goes through the system's one pointer.
  private final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func yield() { sched_yield() }
}

/// Where a known number of threads wait for each other, again and again.
final class StartLine: Sendable {
  private let count: Int
  private let arrived = Atomic<Int>(0)

  init(_ count: Int) { self.count = count }

  /// Returns when all threads have come as often as this one.
  func wait() {
    let ticket = arrived.add(1, ordering: .acquiringAndReleasing).oldValue
    let last = (ticket / count + 1) * count
    while arrived.load(ordering: .acquiring) < last { Threads.yield() }
  }
}
