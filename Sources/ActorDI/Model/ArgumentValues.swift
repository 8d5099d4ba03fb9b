/// The run-time arguments of one resolve, as what tells kept instances apart.
///
/// The user's `hash` is called when it is made, the user's `==` by ``equals(_:)``: neither under a lock.
struct ArgumentValues: Sendable {
  private let values: [ArgumentValue]
  let hash: Int

  /// Nil when one of the arguments is of a type that is not Hashable.
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

  /// Whether it can be found again. A value that is not equal to itself, as a NaN, cannot.
  var equalsItself: Bool { equals(self) }

  private static func erase<Argument: Sendable>(_ argument: Argument) -> ArgumentValue? {
    // Asked of the type: a cast of the value would look into an optional.
    guard let type = Argument.self as? any Hashable.Type else { return nil }
    func erase<Value: Hashable>(_ type: Value.Type) -> ArgumentValue? {
      guard let value = argument as? Value else { return nil }
      return TypedArgumentValue(value)
    }
    return erase(type)
  }
}

/// One argument, of whatever type.
private class ArgumentValue: @unchecked Sendable {
  // `@unchecked Sendable` because the one subclass holds one immutable value, which is Sendable as all run-time arguments are.

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
