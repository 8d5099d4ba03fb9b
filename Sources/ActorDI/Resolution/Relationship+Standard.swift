internal import Synchronization

// The relationship types of the standard library: optionals, arrays and dictionaries.

extension Optional: RelationshipType {
  static var absent: Self? { .some(nil) }

  static func dependency(key: Key?) -> Dependency {
    let wrapped = Dependency(Wrapped.self, key: key)
    let need = wrapped.need == .required ? .optional : wrapped.need
    return Dependency(wrapped.identity, need, forms: wrapped.forms, isOptional: true)
  }

  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) throws -> Self {
    if try isUnavailable(to: resolver, key, arguments) { return nil }
    return try resolver.resolveIfPresent(Wrapped.self, erasedKey: key, arguments: arguments)
  }

  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) async throws -> Self {
    if try isUnavailable(to: resolver, key, arguments) { return nil }
    return try await resolver.resolveIfPresent(Wrapped.self, erasedKey: key, arguments: arguments)
  }

  /// Whether the wrapped type is an unavailable relationship without an explicit registration, which would throw an error instead of
  /// yielding nil.
  private static func isUnavailable(
    to resolver: Resolver, _ key: Key?, _ arguments: Arguments?
  ) throws -> Bool {
    guard let related = RelationshipTypes.relationship(Wrapped.self) else { return false }
    let identity = ServiceIdentity(Wrapped.self, key: key, taking: arguments)
    guard !related.isAvailable(from: resolver.container, key: key, arguments: arguments),
      resolver.container.locate(identity) == nil
    else { return false }
    try resolver.checkSearched(for: identity)
    return true
  }
}

extension Array: CollectionType {
  static var absent: Self? { [] }

  static func elements(_ key: Key?, taking arguments: Arguments?) -> ServiceIdentity {
    ServiceIdentity(Element.self, key: key, taking: arguments)
  }
  static func holds(_ key: Key?) -> Bool { true }
  static var hasEachKeyOnce: Bool { false }

  static func make(of list: ElementList, _ resolver: Resolver, _ arguments: Arguments?) throws -> Self {
    try list.members(resolver, arguments)
  }

  static func make(of list: ElementList, _ resolver: Resolver, _ arguments: Arguments?) async throws -> Self {
    try await list.members(resolver, arguments)
  }
}

/// A dictionary contains the services that are registered under keys of its key type.
extension Dictionary: CollectionType {
  static func elements(_ key: ActorDI.Key?, taking arguments: Arguments?) -> ServiceIdentity {
    ServiceIdentity(Value.self, key: key, taking: arguments)
  }
  static func holds(_ key: ActorDI.Key?) -> Bool { own(key) != nil }
  static var hasEachKeyOnce: Bool { true }
  static func list(of bindings: [Binding], holding located: [Located]) -> ElementList {
    var positions: [Key: Int] = [:]
    for (position, binding) in bindings.enumerated() {
      if let key = own(binding.key) { positions[key] = position }
    }
    return ListByKey(bindings, at: positions, holding: located)
  }

  private static func own(_ key: ActorDI.Key?) -> Key? { key?.value(as: Key.self) }

  static func make(of list: ElementList, _ resolver: Resolver, _ arguments: Arguments?) throws -> Self {
    arrange(try list.members(resolver, arguments), of: list)
  }

  static func make(of list: ElementList, _ resolver: Resolver, _ arguments: Arguments?) async throws -> Self {
    arrange(try await list.members(resolver, arguments), of: list)
  }

  /// Puts the elements of a list under their keys.
  private static func arrange(_ members: [Value], of list: ElementList) -> Self {
    unsafe unsafeDowncast(list, to: ListByKey<Key>.self).arrange(members)
  }
}

/// The elements of a dictionary.
///
/// `@unchecked Sendable` because the type of a dictionary's keys may not be Sendable, but the keys of registrations are.
private final class ListByKey<Key: Hashable>: ElementList, @unchecked Sendable {
  /// The positions of the elements in the list.
  private let positions: [Key: Int]

  init(_ bindings: [Binding], at positions: [Key: Int], holding located: [Located]) {
    self.positions = positions
    super.init(bindings, holding: located)
  }

  /// Puts the elements under their keys.
  // Copies the arrangement of the keys. Otherwise, each dictionary would hash each of its keys.
  func arrange<Value>(_ members: [Value]) -> [Key: Value] { positions.mapValues { members[$0] } }
}

// The elements are resolved in one call tree, so that they share `.graph` instances. If the registration of an element is replaced or
// removed before its turn, everything starts over with a new list.
extension CollectionType {
  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) throws -> Self {
    let elements = elements(key, taking: arguments)
    let asker = resolver.asker
    while true {
      do {
        return try resolver.withElements(of: elements, in: self, for: asker) { try make(of: $0, resolver, arguments) }
      } catch is BindingIsGone {}
    }
  }

  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) async throws -> Self {
    let elements = elements(key, taking: arguments)
    let asker = resolver.asker
    return try await resolver.inOneCall { resolverInCall in
      while true {
        // By the caller's resolver, since a draining container refuses calls from outside.
        let list = try resolver.elementList(of: elements, in: self, for: asker)
        defer { withExtendedLifetime(list) {} }
        do { return try await make(of: list, resolverInCall, arguments) } catch is BindingIsGone {}
      }
    }
  }
}
