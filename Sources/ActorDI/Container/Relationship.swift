/// A type that states how a service is wanted: `T?`, `[T]`, `[Key: T]`, ``Lazy``, ``Provider``, ``Owned``.
///
/// A request recognises these types after a search that found no registration. So an explicit registration of `T?` or `[T]` itself wins.
protocol RelationshipType: SendableMetatype {
  /// The dependency that the relationship expresses, for analysis without running anything.
  static func dependency(key: Key?) -> Dependency

  /// Whether there is a service to resolve. If not, an optional of the relationship is nil.
  static func isAvailable(from container: Container, key: Key?, arguments: Arguments?) -> Bool

  /// The value of an injected property whose service cannot be resolved: nil for `T?`, empty for `[T]`. Nil if that is an error.
  static var absent: Self? { get }

  /// Whether the call that resolves the service later can pass run-time arguments.
  static var takesArguments: Bool { get }

  /// Whether the service is resolved from a scope of its own.
  static var opensScope: Bool { get }

  /// Makes the value for a synchronous caller.
  ///
  /// - Parameter arguments: The run-time arguments of the related service.
  // Returns the value instead of writing it to memory, which takes the metadata of `Self`. An extension of this protocol has it; in an
  // extension of `Optional` or `Array`, the runtime would look it up.
  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) throws -> Self

  /// Makes the value for a caller that can suspend.
  ///
  /// - Parameter arguments: The run-time arguments of the related service.
  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) async throws -> Self
}

extension RelationshipType {
  static func isAvailable(from container: Container, key: Key?, arguments: Arguments?) -> Bool { true }

  static var absent: Self? { nil }

  static var takesArguments: Bool { false }

  static var opensScope: Bool { false }

  /// Writes the value to memory, for a synchronous caller.
  static func write(
    to memory: ServiceMemory, from resolver: Resolver, key: Key?, arguments: Arguments?
  ) throws {
    memory.initialize(as: Self.self, to: try make(from: resolver, key: key, arguments: arguments))
  }

  /// The value as an instance, for a caller that can suspend.
  static func instance(from resolver: Resolver, key: Key?, arguments: Arguments?) async throws -> Instance {
    Instance(holding: try await make(from: resolver, key: key, arguments: arguments))
  }
}

/// The relationship types among the service types of the program.
enum RelationshipTypes {
  private static let known = TypeCache<(any RelationshipType.Type)?>()

  /// A service type as a relationship type; nil if it is none.
  static func relationship(_ service: any Any.Type) -> (any RelationshipType.Type)? {
    known.value(of: service) { service as? any RelationshipType.Type }
  }
}

/// A relationship type that contains all registrations of a service, or some of them: `[T]`, `[Key: T]`.
protocol CollectionType: RelationshipType {
  /// The identity of the elements.
  static func elements(_ key: Key?, taking arguments: Arguments?) -> ServiceIdentity

  /// Creates a list of elements; see ``ElementList/init(_:holding:)``.
  ///
  /// A collection with keys has a list of its own, which knows them.
  static func list(of bindings: [Binding], holding located: [Located]) -> ElementList

  /// Makes the collection for a synchronous caller.
  ///
  /// - Parameter list: The elements.
  /// - Throws: `BindingIsGone` if the registration of an element has been removed.
  // Not an initialiser, which owns its parameters: requests would contend for their reference counts.
  static func make(of list: ElementList, _ resolver: Resolver, _ arguments: Arguments?) throws -> Self

  /// Makes the collection for a caller that can suspend.
  ///
  /// - Parameter list: The elements.
  /// - Throws: `BindingIsGone` if the registration of an element has been removed.
  static func make(of list: ElementList, _ resolver: Resolver, _ arguments: Arguments?) async throws -> Self

  /// Whether a registration under a key, or under none, is an element.
  static func holds(_ key: Key?) -> Bool

  /// Whether there is one element for each key: the one that a resolve by the key finds.
  static var hasEachKeyOnce: Bool { get }
}

extension CollectionType {
  static func dependency(key: Key?) -> Dependency { Dependency(elements(key, taking: nil), .all) }

  static func list(of bindings: [Binding], holding located: [Located]) -> ElementList {
    ElementList(bindings, holding: located)
  }
}

extension Dependency {
  /// The collection type of the dependency; nil if a single service is wanted.
  var collection: (any CollectionType.Type)? {
    guard need == .all else { return nil }
    return forms.lazy.compactMap { $0.service as? any CollectionType.Type }.first
  }

  init<Service>(_ type: Service.Type, key: Key? = nil) { self.init(on: ServiceIdentity(type, key: key)) }

  /// Creates the dependency that a request for an identity expresses. The run-time arguments of a relationship are ignored.
  init(on identity: ServiceIdentity) {
    guard let relationship = RelationshipTypes.relationship(identity.service) else {
      self.init(identity, .required)
      return
    }
    let wanted = relationship.dependency(key: identity.key)
    let form = ServiceIdentity(identity.service, key: identity.key)
    self.init(wanted.identity, wanted.need, forms: [form] + wanted.forms, isOptional: wanted.isOptional)
  }

  /// Whether the call that resolves the service later can pass run-time arguments.
  var takesArguments: Bool {
    guard need == .deferred, let form = forms.last else { return false }
    return RelationshipTypes.relationship(form.service)?.takesArguments ?? false
  }

  /// The dependency of a service that is itself a relationship type: for `Provider<Owned<Session>>`, that of the owned session.
  var nested: Dependency? { RelationshipTypes.relationship(identity.service) == nil ? nil : Dependency(on: identity) }
}
