import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A request from outside to end the run: ^C, or `kill`.
enum Interruption: Int32, CaseIterable, Sendable {
  case interrupt = 2
  case termination = 15

  /// What a shell reports of a program that a signal has ended.
  var exitCode: Int32 { 128 + rawValue }

  /// Has the first request handled on a thread of its own, where everything may be called, so that it does not matter what the others are
  /// in the midst of. A second request ends the process at once, in the system's own way.
  ///
  /// Signals that the process was started to ignore (`nohup`) stay ignored. To keep the signals from all threads but one instead would not
  /// do: the main thread of a Swift program waits with all signals let in.
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
    // Without a thread to wait for them, they end the process as they always do.
    guard thread != nil else { return }
    noted.store(ends[1], ordering: .releasing)
    for one in allCases { one.deliver(to: note) }
  }

  private func deliver(to handler: (@convention(c) (Int32) -> Void)?) {
    let before = signal(rawValue, handler)
    // Not a function: the number that the C header calls SIG_IGN.
    if unsafe unsafeBitCast(before, to: Int.self) == 1 { signal(rawValue, before) }
  }

  /// Where the handler notes what has come.
  private static let noted = Atomic<Int32>(-1)

  /// The handler. It may interrupt anything, so it does nothing but what POSIX lists as safe there: the signal is given back to the system,
  /// and its number goes into a pipe. (The atomic has been initialised before.)
  private static let note: @convention(c) (Int32) -> Void = { number in
    let code = errno
    signal(number, SIG_DFL)
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(noted.load(ordering: .acquiring), &byte, 1)
    errno = code
  }
}

/// Who has the last word: the run that is through, or the request that ends it early.
final class Ending: Sendable {
  private let isTaken = Atomic<Bool>(false)

  /// - Returns: Whether the caller is the first, and may write the report.
  func claim() -> Bool {
    !isTaken.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Lets the other one, who ends the process, do so.
  static func leaveToOther() -> Never {
    while true { pause() }
  }
}
