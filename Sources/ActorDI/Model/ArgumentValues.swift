/// The run-time arguments of one resolve, which identify the kept instance of a `perArguments()` registration.
///
/// The initialiser calls the user's `hash(into:)`; ``equals(_:)`` calls the user's `==`. Neither runs under a lock.
struct ArgumentValues: Sendable {
  /// `nonisolated(unsafe)` because `AnyHashable` is not Sendable; the values in it are, as all run-time arguments are.
  nonisolated(unsafe) private let values: [AnyHashable]
  let hash: Int

  /// Erases the arguments. Nil if the type of an argument is not Hashable.
  init?<each Argument: Sendable>(_ arguments: repeat each Argument) {
    var values: [AnyHashable] = []
    for argument in repeat each arguments {
      guard let value = Self.erase(argument) else { return nil }
      values.append(value)
    }
    unsafe self.values = values
    hash = values.hashValue
  }

  /// - Parameter other: The values of arguments of the same types, which are part of the service's identity.
  func equals(_ other: ArgumentValues) -> Bool { unsafe values == other.values }

  /// Whether a lookup can find these values again. A value that is not equal to itself, such as a NaN, cannot be found.
  // Value by value, because an array equals itself without a comparison.
  var equalsItself: Bool { unsafe values.allSatisfy { $0 == $0 } }

  private static func erase<Argument>(_ argument: Argument) -> AnyHashable? {
    // Test the static type: a cast of the value would look inside an optional.
    guard let type = Argument.self as? any Hashable.Type else { return nil }
    func erase<Value: Hashable>(_ type: Value.Type) -> AnyHashable? { (argument as? Value).map { AnyHashable($0) } }
    return erase(type)
  }
}
