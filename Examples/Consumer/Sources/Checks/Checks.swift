import Synchronization

/// Counts the checks that pass and fail.
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

  /// The result as text, and whether all checks passed, for the exit code.
  public func report() -> (text: String, isSuccess: Bool) {
    let (passed, failed) = counts.withLock { $0 }
    return ("\(passed) checks passed, \(failed) failed", failed == 0 && passed > 0)
  }
}
