/// Suggestions for a service that is not registered: similar registrations.
struct NearMisses {
  /// The requested identity. It shows the type of its key if a suggested key prints alike.
  let wanted: ServiceIdentity
  /// Registrations of the same type, best match first. If there are none, types with similar names.
  let suggestions: [String]
  /// Whether the type is registered under the same key with other run-time arguments.
  let hasOtherArguments: Bool
  /// A closed container that has the requested registration.
  let closedOwner: Container?

  private static let limit = 8

  init(of identity: ServiceIdentity, in container: Container) {
    let searchOrder = container.searchOrder
    closedOwner = searchOrder.first { other in
      other.lifecycle.isClosed && other.ownBindings(of: identity.service).contains { $0.identity.isSame(as: identity) }
    }
    let sameType = searchOrder.flatMap { $0.ownBindings(of: identity.service) }
    hasOtherArguments = sameType.contains { $0.key == identity.key && $0.identity.signature != identity.signature }
    let ranked = sameType.map { (distance: Self.distance($0.identity, identity), binding: $0) }
      .sorted { $0.distance < $1.distance }
    let texts = ServiceIdentity.descriptions(of: [identity] + ranked.prefix(Self.limit).map(\.binding.identity))
    wanted = texts[0] == identity.description ? identity : identity.with(identity.key?.showingType)
    suggestions = ranked.isEmpty ? Self.sameName(identity, searchOrder) : Array(texts.dropFirst())
  }

  /// Whether the autowired initialiser of a service has the requested one as a parameter.
  func isParameter(of requester: ServiceIdentity, in container: Container) -> Bool {
    container.searchOrder.flatMap { $0.ownBindings(of: requester.service) }.contains { binding in
      binding.identity.isSame(as: requester)
        && binding.innermost.descriptor.parameters.contains { $0.identity.isSame(as: wanted) }
    }
  }

  private static func distance(_ found: ServiceIdentity, _ wanted: ServiceIdentity) -> Int {
    if let found = found.key?.text, let wanted = wanted.key?.text { return EditDistance.between(found, wanted) }
    return found.key == wanted.key ? 0 : 1000
  }

  /// The full names of types with similar short names: `Store` for `any Store`, or a type of another module or spelling.
  private static func sameName(_ identity: ServiceIdentity, _ searchOrder: SearchOrder) -> [String] {
    let wanted = TypeName.short(identity.service)
    let services = searchOrder.flatMap { $0.registry.withLock { $0.bindings } }.map(\.identity.service)
    let similar = services.filter { EditDistance.between(TypeName.short($0), wanted) <= wanted.count / 4 }
    var known: Set<String> = []
    // The module and `any` may be the only difference, so show them.
    return Array(similar.map { TypeName.full($0) }.filter { known.insert($0).inserted }.prefix(limit))
  }
}

enum EditDistance {
  /// The number of characters to add, remove or change to turn one text into the other.
  ///
  /// - Complexity: O(*n* × *m*).
  static func between(_ left: String, _ right: String) -> Int {
    let left = Array(left.lowercased())
    let right = Array(right.lowercased())
    var row = Array(0...right.count)
    for (i, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let change = diagonal + (character == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
