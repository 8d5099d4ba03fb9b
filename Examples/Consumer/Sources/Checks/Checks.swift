import Synchronization

/// Compares what the library gives with what it promises.
public final class Checks: Sendable {
  private let counts = Mutex((passed: 0, failed: 0))

  public init() {}

  public func expect(
    _ condition: Bool, _ what: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    counts.withLock { counts in
      if condition { counts.passed += 1 } else { counts.failed += 1 }
    }
    if !condition { print("\(file):\(line): error: \(what())") }
  }

  /// A text of the outcome for people, and whether all is well for the process's exit code.
  public func report() -> (text: String, isSuccess: Bool) {
    let (passed, failed) = counts.withLock { $0 }
    return ("\(passed) checks passed, \(failed) failed", failed == 0 && passed > 0)
  }
}
