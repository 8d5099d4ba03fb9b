/// A type-erased key. Two keys are equal if their types and values are.
///
/// A class, so that a binding stores it in one word and the read path compares it without an existential.
@usableFromInline
class Key: @unchecked Sendable, Hashable, CustomStringConvertible {
  // `@unchecked Sendable` because every subclass holds only immutable Sendable values.

  @usableFromInline
  init() {}

  /// The word of identities with this key; see ``KeyWord``. It hashes the value, so identities store the result.
  @usableFromInline var word: UInt { fatalError("abstract") }
  func equals(_ other: Key) -> Bool { false }
  var value: any Hashable & Sendable { fatalError("abstract") }
  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(word) }

  @usableFromInline
  static func == (left: Key, right: Key) -> Bool { left === right || left.equals(right) }

  /// A string in quotes; any other value as it describes itself.
  @usableFromInline var description: String {
    switch value {
    case let string as String: "\"\(string)\""
    case let other: String(describing: other)
    }
  }

  /// The value of a string key, to find near misses in spelling.
  var text: String? { value as? String }
}

extension Key {
  /// The key for a value. An optional stands for its wrapped value; nil means no key.
  @_alwaysEmitIntoClient @inline(__always)
  static func of<Value: Hashable & Sendable>(_ value: Value) -> Key? {
    // The compiler evaluates this check where the type is known.
    _isOptional(Value.self) ? heldBy(value) : TypedKey(value)
  }

  @usableFromInline @inline(never)
  static func heldBy<Value: Hashable & Sendable>(_ value: Value) -> Key? {
    guard let held = (value as? any HashableOptional)?.held else { return nil }
    // A value wrapped in a Sendable optional is Sendable, but a cast cannot express that. The coercion prevents the
    // existential from being opened.
    return of(unsafe unsafeBitCast(held as any Hashable, to: (any Hashable & Sendable).self))
  }

  /// The same key with its type in the description, to distinguish keys that print alike.
  var showingType: Key { TypeShowingKey(self) }
}

private protocol HashableOptional {
  var held: (any Hashable)? { get }
}

extension Optional: HashableOptional where Wrapped: Hashable {
  fileprivate var held: (any Hashable)? { self }
}

/// A key whose description includes its type, such as `1 as UInt`.
private final class TypeShowingKey: Key, @unchecked Sendable {
  private let key: Key

  init(_ key: Key) { self.key = key }

  override var word: UInt { key.word }
  override func equals(_ other: Key) -> Bool { key.equals(other) }
  override var value: any Hashable & Sendable { key.value }
  override var description: String { "\(key.description) as \(TypeName.short(type(of: key.value)))" }
}

/// A key with a value of one type.
@usableFromInline
final class TypedKey<Value: Hashable & Sendable>: Key, @unchecked Sendable {
  @usableFromInline let typedValue: Value

  @inlinable
  init(_ value: Value) {
    typedValue = value
    super.init()
  }

  @usableFromInline override var word: UInt { KeyWord.hash(typedValue) }

  override func equals(_ other: Key) -> Bool { (other as? TypedKey<Value>)?.typedValue == typedValue }

  override var value: any Hashable & Sendable { typedValue }
}

/// The word that represents a key in a ``Snapshot``.
///
/// - 0: no key.
/// - Highest bit clear: the address and length of a literal. Equal words mean equal keys.
/// - Highest bit set: a hash. The keys must be compared as well.
@usableFromInline
enum KeyWord {
  @_alwaysEmitIntoClient @inline(__always)
  static func hash<Value: Hashable>(_ value: Value) -> UInt {
    UInt(bitPattern: value.hashValue) | 1 &<< (UInt.bitWidth - 1)
  }

  /// The word of a literal: its address plus its length shifted by 48 bits; 0 if the literal cannot be represented that way.
  ///
  /// Literals that differ in address or length have different words. Addresses commonly have fewer than 48 bits. Where they
  /// have more, no two literals of one program are 2^48 bytes apart.
  @_alwaysEmitIntoClient @inline(__always)
  static func literal(_ literal: StaticString) -> UInt {
    guard literal.hasPointerRepresentation, literal.utf8CodeUnitCount < 1 << 14 else { return 0 }
    return unsafe UInt(bitPattern: literal.utf8Start)
      &+ UInt(bitPattern: literal.utf8CodeUnitCount) &<< 48
  }
}
