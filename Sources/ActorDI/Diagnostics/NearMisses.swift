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
    let others = others
    // Several containers may have one identity, and several aliases.
    var known: Set<ServiceIdentity> = []
    let ranked = others.filter { $0.service == identity.service && known.insert($0).inserted }
      .map { (distance: distance($0), identity: $0) }.sorted { $0.distance < $1.distance }
    guard ranked.isEmpty else { return ranked.prefix(Self.limit).map(\.identity.description) }
    return similarTypes(others.map(\.service))
  }

  private var others: [ServiceIdentity] { registries.identities.filter { !$0.isSame(as: identity) } }

  /// The advice for a protocol of which nothing is registered, although other services are; nil for any other type.
  var adviceOnConformingTypes: String? {
    let others = others
    guard TypeName.isExistential(identity.service), !others.isEmpty,
      !others.contains(where: { $0.service == identity.service })
    else { return nil }
    let type = "(\(TypeName.short(identity.service))).self"
    return "A registration of a conforming type does not count: name \(type) in it, or add .implements(\(type)) { $0 }."
  }

  /// The advice for a parameter whose type is registered only under keys; nil if it is not.
  var adviceOnKeyOfParameter: String? {
    let ofType = others.filter { $0.service == identity.service }
    guard identity.key == nil, !ofType.isEmpty, ofType.allSatisfy({ $0.key != nil }) else { return nil }
    return "A parameter is resolved without a key. Resolve it by its key in a factory closure."
  }

  /// The advice for a service that is registered only without run-time arguments; nil if it is not.
  var adviceOnArguments: String? {
    let same = others.filter { $0.isSameService(as: identity) }
    guard let first = same.first, !same.contains(where: \.takesArguments) else { return nil }
    return "\(first) takes no run-time arguments."
  }

  private static let limit = 8

  private func distance(_ found: ServiceIdentity) -> Int {
    if let found = found.key?.text, let wanted = identity.key?.text { return EditDistance.between(found, wanted) }
    return found.key == identity.key ? 0 : 1000
  }

  /// The optional of the type, and the full names of types with similar short names, the most similar first: `Store` or `DiskStore` for
  /// `any Store`, or a type of another module or spelling.
  private func similarTypes(_ services: [any Any.Type]) -> [String] {
    // A type has one name, however many keys it is registered with.
    var seen: Set<ObjectIdentifier> = []
    let services = services.filter { seen.insert(ObjectIdentifier($0)).inserted }
    let optional = services.first { ($0 as? any OptionalType.Type)?.wrapped == identity.service }
    let wanted = Self.plainName(identity.service)
    let similar = services.filter { $0 != optional }
      .map { (distance: EditDistance.between(Self.plainName($0), wanted), type: $0) }
      .filter { $0.distance <= wanted.count / 4 || Self.hasWords(wanted, in: Self.plainName($0.type)) }
      .sorted { $0.distance < $1.distance }
    var known: Set<String> = []
    // The module and `any` may be the only difference, so show them.
    let names = similar.map { TypeName.full($0.type) }.filter { known.insert($0).inserted }
    return Array(((optional.map { [TypeName.short($0)] } ?? []) + names).prefix(Self.limit))
  }

  /// Whether a name has the words of another one: `LiveMailer` and `MailerImpl` have those of `Mailer`, and `[Mailer]` has not.
  private static func hasWords(_ words: String, in name: String) -> Bool {
    // Without the arguments of a generic type.
    let name = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.ranges(of: words).contains { name[$0.upperBound...].first?.isLowercase != true }
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
