import Synchronization

/// A value that a test sets and the code under test reads, such as the date.
///
/// ```swift
/// let date = ManualValue(Date(timeIntervalSince1970: 0))
/// Registration(instance: date.read).key(.date)  // where .date is a token for a @Sendable () -> Date
/// …
/// date.value += 3600
/// ```
///
/// - Concurrency: Usable from any task and thread. A change such as `value += 1` is a read and a write, between which another task can
///   write.
public final class ManualValue<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  /// Creates a source of a value.
  ///
  /// - Parameter value: The value until the test sets another one.
  public init(_ value: Value) { state = Mutex(value) }

  /// The value.
  public var value: Value {
    get { state.withLock { $0 } }
    set {
      // Releases the old value outside the lock: it may have a user-defined `deinit`.
      var other = newValue
      state.withLock { swap(&$0, &other) }
    }
  }

  /// Returns the value. `source.read` is the source as a function.
  public func read() -> Value { value }
}
