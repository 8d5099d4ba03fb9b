import Synchronization

/// A value behind a mutex.
///
/// Replaces the library's `Lock`, which the reference model uses, and which is visible only in the library's own package.
final class Lock<Value: Sendable>: Sendable {
  private let state: Mutex<Value>
  init(_ value: Value) { state = Mutex(value) }
  func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try state.withLock { value in try body(&value) }
  }
}
