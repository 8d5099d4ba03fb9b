import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A signal that asks the program to end: ^C, or `kill`.
enum Interruption: Int32, CaseIterable, Sendable {
  case interrupt = 2
  case termination = 15

  /// The exit code that a shell reports for a program ended by a signal.
  var exitCode: Int32 { 128 + rawValue }

  /// Handles the first signal on a dedicated thread, which may call any function regardless of what the other threads are doing. A
  /// second signal ends the process immediately, by the system's default action.
  ///
  /// Signals that the process was started to ignore (`nohup`) stay ignored. Blocking the signals in all threads but one would not work,
  /// because the main thread of a Swift program waits with all signals unblocked.
  static func handle(_ body: @escaping @Sendable (Interruption) -> Void) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return }
    let source = ends[0]
    let thread = SystemThread {
      var number: UInt8 = 0
      while unsafe read(source, &number, 1) != 1 {
        guard errno == EINTR else { return }
      }
      for one in allCases { one.deliver(to: SIG_DFL) }
      if let one = Interruption(rawValue: Int32(number)) { body(one) }
    }
    // Without a thread to wait for the signals, they end the process as usual.
    guard thread != nil else { return }
    noted.store(ends[1], ordering: .releasing)
    for one in allCases { one.deliver(to: note) }
  }

  private func deliver(to handler: (@convention(c) (Int32) -> Void)?) {
    let before = signal(rawValue, handler)
    // The C macro SIG_IGN is a number, not a function.
    if unsafe unsafeBitCast(before, to: Int.self) == 1 { signal(rawValue, before) }
  }

  /// The descriptor that the handler writes the signal to.
  private static let noted = Atomic<Int32>(-1)

  /// The signal handler. It may interrupt any code, so it calls only async-signal-safe functions: it restores the default action and
  /// writes the signal's number into a pipe. The atomic has been initialised before.
  private static let note: @convention(c) (Int32) -> Void = { number in
    let code = errno
    signal(number, SIG_DFL)
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(noted.load(ordering: .acquiring), &byte, 1)
    errno = code
  }
}

/// Decides what ends the process: the completed run, or the signal that ends it early.
final class Ending: Sendable {
  private let isTaken = Atomic<Bool>(false)

  /// Claims the end of the process.
  ///
  /// - Returns: Whether the caller is the first, and may write the report.
  func claim() -> Bool {
    !isTaken.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Waits forever, while the claimant ends the process.
  static func leaveToOther() -> Never {
    while true { pause() }
  }
}
