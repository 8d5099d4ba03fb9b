/// What a token brings along besides its key. A key only carries it.
class TokenDefault: @unchecked Sendable {
  // `@unchecked Sendable` because a class with subclasses cannot be checked; there are no stored properties.
}

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
  /// The value, if it can be cast to a type.
  func value<Other>(as type: Other.Type) -> Other? { fatalError("abstract") }
  /// What the token brings along; nil if it brings nothing, or if this is not the key of a token.
  var tokenDefault: TokenDefault? { nil }
  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(word) }

  @usableFromInline
  static func == (left: Key, right: Key) -> Bool { left === right || left.equals(right) }

  /// A string in quotes; any other value with its type, such as `Side.left`, `Int(1)` or `TenantID(number: 1)`.
  @usableFromInline var description: String { text.map { "\"\($0)\"" } ?? Self.withType(value) }

  private static func withType(_ value: any Hashable & Sendable) -> String {
    let type = TypeName.short(Swift.type(of: value))
    let text = String(describing: value)
    // Most structures describe themselves with their type.
    if text == type || text.hasPrefix("\(type)(") { return text }
    let isCase = Mirror(reflecting: value).displayStyle == .enum && !(value is any CustomStringConvertible)
    return isCase ? "\(type).\(text)" : "\(type)(\(text))"
  }

  /// Casts a value. Most are of the same type, and a cast by the runtime takes longer than a comparison of types.
  fileprivate static func cast<Value, Other>(_ value: Value, to type: Other.Type) -> Other? {
    Value.self == type ? unsafe unsafeBitCast(value, to: type) : value as? Other
  }

  /// The value of a string key.
  final var text: String? { (self as? TextKey)?.string }
}

// Emitted into the client, where the compiler knows the type of a key.
extension Key {
  /// The key for a value. An optional stands for its wrapped value; nil means no key.
  @_alwaysEmitIntoClient @inline(__always)
  static func of<Value: Hashable & Sendable>(_ value: Value) -> Key? {
    // The compiler evaluates these checks where the type is known.
    if _isOptional(Value.self) { return heldBy(value) }
    if let string = string(value) { return TextKey(string) }
    return TypedKey(value)
  }

  /// The value, if it is a string; nil for any other.
  @_alwaysEmitIntoClient @inline(__always)
  static func string<Value>(_ value: Value) -> String? {
    Value.self == String.self ? unsafe unsafeBitCast(value, to: String.self) : nil
  }

  /// The key for the value that an optional wraps; nil if there is none.
  @usableFromInline
  static func heldBy<Value: Hashable & Sendable>(_ value: Value) -> Key? {
    guard let held = (value as? any HashableOptional)?.held else { return nil }
    // A value wrapped in a Sendable optional is Sendable, but a cast cannot express that. The coercion prevents the
    // existential from being opened.
    return of(unsafe unsafeBitCast(held as any Hashable, to: (any Hashable & Sendable).self))
  }
}

private protocol HashableOptional {
  var held: (any Hashable)? { get }
}

extension Optional: HashableOptional where Wrapped: Hashable {
  fileprivate var held: (any Hashable)? { self }
}

/// A key that is a string.
@usableFromInline
final class TextKey: Key, @unchecked Sendable {
  @usableFromInline let string: String
  /// The address of the literal that the key was made of; 0 for none.
  @usableFromInline let literal: UInt
  private let ownDefault: TokenDefault?

  @usableFromInline
  init(_ string: String) {
    self.string = string
    literal = 0
    ownDefault = nil
    super.init()
  }

  init(_ literal: StaticString, default registration: TokenDefault? = nil) {
    ownDefault = registration
    string = literal.description
    self.literal = literal.hasPointerRepresentation ? unsafe UInt(bitPattern: literal.utf8Start) : 0
    super.init()
  }

  @usableFromInline override var word: UInt { KeyWord.hash(text: string) }
  override func equals(_ other: Key) -> Bool { (other as? TextKey)?.string == string }
  override var value: any Hashable & Sendable { string }
  override func value<Other>(as type: Other.Type) -> Other? { Self.cast(string, to: type) }
  override var tokenDefault: TokenDefault? { ownDefault }

  /// Whether the string is the text of an ASCII literal.
  @usableFromInline
  func equals(_ literal: StaticString) -> Bool {
    // Compares the bytes in place: the view of a string compares them one call after the other.
    let isSame = unsafe string.utf8.withContiguousStorageIfAvailable { text in
      text.count == literal.utf8CodeUnitCount && literal.withUTF8Buffer { unsafe text.elementsEqual($0) }
    }
    // Another character may be canonically equivalent to an ASCII one.
    return isSame == true || string == literal.description
  }
}

/// A key with a value of one type. ``Key/of(_:)`` makes a ``TextKey`` for a string instead; ``KeyedScopes`` makes this for any value.
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
  override func value<Other>(as type: Other.Type) -> Other? { Self.cast(typedValue, to: type) }
}

extension Key {
  /// Whether the value of a `TypedKey` is equal to another one of its type.
  ///
  /// - Precondition: The key is a `TypedKey<Value>`. All keys of one ``KeyedScopes`` are.
  @_alwaysEmitIntoClient @inline(__always)
  final func hasTypedValue<Value: Hashable & Sendable>(_ value: Value) -> Bool {
    // A checked cast is a call of the runtime for each operation.
    unsafe unsafeDowncast(self, to: TypedKey<Value>.self).typedValue == value
  }
}

/// The word that represents a key in a ``Snapshot``: 0 for no key, and otherwise a hash with its highest bit set. Different keys may have
/// the same word, so the keys must be compared as well.
///
/// The hashes are emitted into the client, where the compiler knows the type of a key and evaluates the hash of a literal.
@usableFromInline
enum KeyWord {
  @_alwaysEmitIntoClient @inline(__always)
  static func hash<Value: Hashable>(_ value: Value) -> UInt {
    if let string = Key.string(value) { hash(text: string) } else { seededHash(value) }
  }

  /// The hash of a string made of a literal, which the compiler evaluates; 0 if the literal is not ASCII text.
  @_alwaysEmitIntoClient @inline(__always)
  static func hash(literal: StaticString) -> UInt {
    guard literal.hasPointerRepresentation, literal.isASCII else { return 0 }
    return unsafe hash(ascii: UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// The hash of a string, which is that of a literal with the same text.
  @usableFromInline
  static func hash(text: String) -> UInt {
    let word = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe hash(ascii: UnsafeRawBufferPointer($0)) }
    if let word, word != 0 { return word }
    // Equal strings must have the same hash. Three other characters are canonically equivalent to an ASCII one.
    let asciiTwins: [Unicode.Scalar: Unicode.Scalar] = ["\u{37E}": ";", "\u{1FEF}": "`", "\u{212A}": "K"]
    let scalars = String.UnicodeScalarView(text.unicodeScalars.map { asciiTwins[$0] ?? $0 })
    let bytes = Array(String(scalars).utf8)
    let other = unsafe bytes.withUnsafeBytes { unsafe hash(ascii: $0) }
    return other != 0 ? other : seededHash(text)
  }

  /// The hash of the standard library, which differs between processes.
  @_alwaysEmitIntoClient @inline(__always)
  static func seededHash<Value: Hashable>(_ value: Value) -> UInt { UInt(bitPattern: value.hashValue) | highestBit }

  /// A hash of ASCII text; 0 for any other. Not seeded, so that the compiler can evaluate it.
  @_alwaysEmitIntoClient @inline(__always)
  static func hash(ascii text: UnsafeRawBufferPointer) -> UInt {
    var hash = UInt(bitPattern: text.count)
    var bits: UInt = 0
    var offset = 0
    while offset < text.count {
      var part: UInt = 0
      if text.count &- offset >= 8 {
        part = unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt.self)
      } else {
        for index in offset..<text.count { part = part &<< 8 | UInt(unsafe text[index]) }
      }
      let product = (hash ^ part).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.low ^ product.high
      bits |= part
      offset &+= 8
    }
    return bits & 0x8080_8080_8080_8080 == 0 ? hash | highestBit : 0
  }

  @_alwaysEmitIntoClient @inline(__always) static var highestBit: UInt { 1 &<< (UInt.bitWidth - 1) }
}
