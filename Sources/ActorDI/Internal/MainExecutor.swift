internal import CActorDI

/// The main actor's executor, for callers that may be on it already.
enum MainExecutor {
  static var isCurrent: Bool { actordi_is_on_main_executor() }

  /// Runs a main-actor function where the caller already is.
  static func assumeIsolated<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    // Nothing crosses an isolation boundary, which the standard function's Sendable result would guard.
    try MainActor.assumeIsolated { Transfer(try body()) }.value
  }

  /// `@unchecked Sendable` because it never leaves the executor.
  private struct Transfer<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
