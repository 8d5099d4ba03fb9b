import Synchronization

/// A source of identifiers that are counted up from 1.
///
/// ```swift
/// let orders = CountingIDs { "order-\($0)" }  // order-1, order-2, …
/// Registration(instance: orders.next).key(.newID)  // where .newID is a token for a @Sendable () -> String
///
/// let uuids = CountingIDs { UUID(uuidString: CountingIDs.uuidString($0))! }
/// ```
///
/// - Concurrency: Usable from any task and thread. No two calls get the same number. Which of several tasks gets which number depends on
///   their timing.
public final class CountingIDs<ID>: Sendable {
  private let count = Atomic(0)
  private let makeID: @Sendable (Int) -> ID

  /// Creates a source of identifiers.
  ///
  /// - Parameter makeID: Makes the identifier of a number, on the caller's thread.
  public init(_ makeID: @escaping @Sendable (Int) -> ID) { self.makeID = makeID }

  /// Returns the next identifier. `source.next` is the source as a function.
  public func next() -> ID { makeID(count.wrappingAdd(1, ordering: .relaxed).newValue) }
}

extension CountingIDs where ID == String {
  /// Creates a source of strings in the form of a UUID; see ``uuidString(_:)``.
  public static func uuidStrings() -> CountingIDs { CountingIDs { uuidString($0) } }

  /// Returns a number in the form of a UUID, such as `00000000-0000-0000-0000-00000000000A` for 10.
  ///
  /// - Parameter number: The number, whose hexadecimal digits are the last ones of the UUID.
  public static func uuidString(_ number: Int) -> String {
    let digits = String(UInt64(bitPattern: Int64(number)), radix: 16, uppercase: true)
    let all = String(repeating: "0", count: 16 - digits.count) + digits
    return "00000000-0000-0000-\(all.prefix(4))-\(all.suffix(12))"
  }
}
