/// The run-time arguments of one resolve, which identify the kept instance of a `perArguments()` registration.
///
/// The initialiser calls the user's `hash(into:)`; ``equals(_:)`` calls the user's `==`. Neither runs under a lock.
struct ArgumentValues: Sendable {
  private let values: [ArgumentValue]
  let hash: Int

  /// Erases the arguments. Nil if the type of an argument is not Hashable.
  init?<each Argument: Sendable>(_ arguments: repeat each Argument) {
    var values: [ArgumentValue] = []
    var hasher = Hasher()
    for argument in repeat each arguments {
      guard let value = Self.erase(argument) else { return nil }
      value.hash(into: &hasher)
      values.append(value)
    }
    self.values = values
    hash = hasher.finalize()
  }

  func equals(_ other: ArgumentValues) -> Bool {
    values.count == other.values.count
      && zip(values, other.values).allSatisfy { $0.equals($1) }
  }

  /// Whether a lookup can find these values again. A value that is not equal to itself, such as a NaN, cannot be found.
  var equalsItself: Bool { equals(self) }

  private static func erase<Argument: Sendable>(_ argument: Argument) -> ArgumentValue? {
    // Test the static type: a cast of the value would look inside an optional.
    guard let type = Argument.self as? any Hashable.Type else { return nil }
    func erase<Value: Hashable>(_ type: Value.Type) -> ArgumentValue? {
      guard let value = argument as? Value else { return nil }
      return TypedArgumentValue(value)
    }
    return erase(type)
  }
}

/// One argument of any type.
private class ArgumentValue: @unchecked Sendable {
  // `@unchecked Sendable` because the only subclass stores one immutable value, which is Sendable as all run-time arguments
  // are.

  func equals(_ other: ArgumentValue) -> Bool { false }
  func hash(into hasher: inout Hasher) {}
}

private final class TypedArgumentValue<Value: Hashable>: ArgumentValue, @unchecked Sendable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  override func equals(_ other: ArgumentValue) -> Bool {
    (other as? TypedArgumentValue<Value>)?.value == value
  }

  override func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
