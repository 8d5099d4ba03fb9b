/// The search for registrations that may have been meant by a request for an unregistered service.
struct NearMisses: Sendable {
  let identity: ServiceIdentity
  private let registries: SearchedRegistries

  init(of identity: ServiceIdentity, in registries: SearchedRegistries) {
    self.identity = identity
    self.registries = registries
  }

  /// Registrations of the same type, best match first. If there are none, types with similar names.
  var suggestions: [String] {
    let all = registries.identities.filter { !$0.isSame(as: identity) }
    // Several containers may have one identity, and several aliases.
    var known: Set<ServiceIdentity> = []
    let ranked = all.filter { $0.service == identity.service && known.insert($0).inserted }
      .map { (distance: distance($0), identity: $0) }.sorted { $0.distance < $1.distance }
    guard ranked.isEmpty else { return ranked.prefix(Self.limit).map(\.identity.description) }
    return similarTypes(all.map(\.service))
  }

  private static let limit = 8

  private func distance(_ found: ServiceIdentity) -> Int {
    if let found = found.key?.text, let wanted = identity.key?.text { return EditDistance.between(found, wanted) }
    return found.key == identity.key ? 0 : 1000
  }

  /// The optional of the type, and the full names of types with similar short names: `Store` for `any Store`, or a type of another module
  /// or spelling.
  private func similarTypes(_ services: [any Any.Type]) -> [String] {
    // A type has one name, however many keys it is registered with.
    var seen: Set<ObjectIdentifier> = []
    let services = services.filter { seen.insert(ObjectIdentifier($0)).inserted }
    let optional = services.first { ($0 as? any OptionalType.Type)?.wrapped == identity.service }
    let wanted = Self.plainName(identity.service)
    let similar = services.filter {
      $0 != optional && EditDistance.between(Self.plainName($0), wanted) <= wanted.count / 4
    }
    var known: Set<String> = []
    // The module and `any` may be the only difference, so show them.
    let names = similar.map { TypeName.full($0) }.filter { known.insert($0).inserted }
    return Array(((optional.map { [TypeName.short($0)] } ?? []) + names).prefix(Self.limit))
  }

  /// A type's name without modules and without the `any` of an existential.
  private static func plainName(_ type: any Any.Type) -> String {
    let name = TypeName.short(type)
    return name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
  }
}

private protocol OptionalType {
  static var wrapped: any Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: any Any.Type { Wrapped.self }
}

extension Container {
  /// Whether this container has a service under the same key with other run-time arguments.
  nonisolated func hasOtherArguments(_ identity: ServiceIdentity) -> Bool {
    let others = registryIfAny?.withLock { registry in
      // Only a registration with run-time arguments can differ, or one without them from a request with some.
      identity.takesArguments || registry.argumentCount > 0 ? registry.bindings(of: identity.service) : []
    }
    return others?.contains { $0.key == identity.key && $0.identity.signature != identity.signature } ?? false
  }

  /// Whether this container is closed, and had a registration.
  nonisolated func isClosedOwner(of identity: ServiceIdentity) -> Bool {
    guard lifecycle.isClosed, let registry = registryIfAny else { return false }
    return registry.withLock { $0.identities }.contains { $0.isSame(as: identity) }
  }
}
