/// A key of any hashable type, erased. Equal when type and value are.
///
/// A class, so that a binding holds it in one word and the read path compares it without an existential.
@usableFromInline
class Key: @unchecked Sendable, Hashable, CustomStringConvertible {
  // `@unchecked Sendable` because the one subclass holds one immutable Sendable value.

  @usableFromInline
  init() {}

  /// What identities of this key have as their word; see ``KeyWord``. Hashes the value: identities remember it.
  @usableFromInline var word: UInt { fatalError("abstract") }
  func equals(_ other: Key) -> Bool { false }
  var value: any Hashable & Sendable { fatalError("abstract") }
  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(word) }

  @usableFromInline
  static func == (left: Key, right: Key) -> Bool {
    left === right || left.equals(right)
  }

  /// Strings in quotes, all else as it prints itself.
  @usableFromInline var description: String {
    switch value {
    case let string as String: "\"\(string)\""
    case let other: String(describing: other)
    }
  }

  /// The text of a string key, for near misses in spelling.
  var text: String? { value as? String }
}

extension Key {
  /// The key that a value stands for: an optional is what it holds, and nil is no key.
  @inlinable
  @inline(__always)
  static func of<Value: Hashable & Sendable>(_ value: Value) -> Key? {
    // Known to the compiler, where the type is.
    _isOptional(Value.self) ? heldBy(value) : TypedKey(value)
  }

  @usableFromInline
  @inline(never)
  static func heldBy<Value: Hashable & Sendable>(_ value: Value) -> Key? {
    guard let held = (value as? any HashableOptional)?.held else { return nil }
    // What is in a Sendable optional is Sendable, which a cast cannot say. Coerced, it is not opened.
    return of(unsafe unsafeBitCast(held as any Hashable, to: (any Hashable & Sendable).self))
  }

  /// The same key for a text in which another one prints itself alike.
  var showingType: Key { TypeShowingKey(self) }
}

private protocol HashableOptional {
  var held: (any Hashable)? { get }
}

extension Optional: HashableOptional where Wrapped: Hashable {
  fileprivate var held: (any Hashable)? { self }
}

/// A key that prints its type along, as `1 as UInt`.
private final class TypeShowingKey: Key, @unchecked Sendable {
  private let key: Key

  init(_ key: Key) { self.key = key }

  override var word: UInt { key.word }
  override func equals(_ other: Key) -> Bool { key.equals(other) }
  override var value: any Hashable & Sendable { key.value }
  override var description: String { "\(key.description) as \(TypeName.short(type(of: key.value)))" }
}

/// The key of one type.
@usableFromInline
final class TypedKey<Value: Hashable & Sendable>: Key, @unchecked Sendable {
  @usableFromInline let typedValue: Value

  @inlinable
  init(_ value: Value) {
    typedValue = value
    super.init()
  }

  @usableFromInline override var word: UInt { KeyWord.hash(typedValue) }

  override func equals(_ other: Key) -> Bool {
    (other as? TypedKey<Value>)?.typedValue == typedValue
  }

  override var value: any Hashable & Sendable { typedValue }
}

/// The word that stands for a key in a ``Snapshot``.
///
/// - 0: no key.
/// - Highest bit clear: the address of a literal, with its length: proof by itself.
/// - Highest bit set: a hash; the keys have to be compared.
@usableFromInline
enum KeyWord {
  @inlinable
  @inline(__always)
  static func hash<Value: Hashable>(_ value: Value) -> UInt {
    UInt(bitPattern: value.hashValue) | 1 &<< (UInt.bitWidth - 1)
  }

  /// Two literals of one program that differ in address or length differ here: addresses have less than 48 bits
  /// in common use, and where they have more, two literals of one program are not 2^48 bytes apart.
  @inlinable
  @inline(__always)
  static func literal(_ literal: StaticString) -> UInt {
    guard literal.hasPointerRepresentation, literal.utf8CodeUnitCount < 1 << 14 else { return 0 }
    return unsafe UInt(bitPattern: literal.utf8Start)
      &+ UInt(bitPattern: literal.utf8CodeUnitCount) &<< 48
  }
}
