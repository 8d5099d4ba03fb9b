/// What is registered that somebody may have meant who asked for what is not.
struct NearMisses {
  /// What was asked for; with the type of its key, if another one prints itself alike.
  let wanted: ServiceIdentity
  /// Registrations of the same type, best guess first.
  let suggestions: [String]
  /// The same type and key is there, with other arguments.
  let hasOtherArguments: Bool

  private static let limit = 8

  init(of identity: ServiceIdentity, in container: Container) {
    let sameType = container.searchOrder.flatMap { $0.ownBindings(of: identity.service) }
    hasOtherArguments = sameType.contains {
      $0.key == identity.key && $0.identity.signature != identity.signature
    }
    let ranked = sameType.map { (distance: Self.distance($0.identity, identity), binding: $0) }
      .sorted { ($0.distance, $0.binding.order) < ($1.distance, $1.binding.order) }
    let texts = ServiceIdentity.descriptions(of: [identity] + ranked.prefix(Self.limit).map(\.binding.identity))
    let isAmbiguous = texts[0] != identity.description
    wanted = isAmbiguous ? identity.with(identity.key?.showingType) : identity
    var lines = Array(texts.dropFirst())
    if lines.isEmpty { lines = Self.sameName(identity, container) }
    suggestions = lines
  }

  private static func distance(_ found: ServiceIdentity, _ wanted: ServiceIdentity) -> Int {
    switch (found.key?.text, wanted.key?.text) {
    case (let found?, let wanted?): EditDistance.between(found, wanted)
    default: found.key == wanted.key ? 0 : 1000
    }
  }

  /// Types that are called alike: `Store` for `any Store`, or one of another module or spelling.
  private static func sameName(
    _ identity: ServiceIdentity, _ container: Container
  ) -> [String] {
    let wanted = TypeName.short(identity.service)
    var names: [String] = []
    for binding in container.searchOrder.flatMap({ $0.registry.withLock { $0.bindings } }) {
      let found = TypeName.short(binding.identity.service)
      guard EditDistance.between(found, wanted) <= wanted.count / 4 else { continue }
      // With the module and `any`, which is where the two differ.
      let name = TypeName.full(binding.identity.service)
      if !names.contains(name) { names.append(name) }
      if names.count == limit { break }
    }
    return names
  }
}

enum EditDistance {
  /// How many characters have to be added, removed or changed to make one text of the other.
  ///
  /// - Complexity: O(*n* × *m*)
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
