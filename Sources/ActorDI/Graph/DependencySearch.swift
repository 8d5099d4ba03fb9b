/// What a dependency would be resolved from, and how certainly.
struct DependencySearch {
  private(set) var targets: [Located] = []
  /// Whether the targets are resolved later than the one that wants them, if at all.
  private(set) var isLater = false
  /// Whether there is nothing but registrations with run-time arguments, one of which it may be.
  private(set) var needsArguments = false
  /// Whether a resolve would find nothing, and fail.
  private(set) var isMissing = false

  /// - Parameters:
  ///   - dependency: what is wanted.
  ///   - container: the container that is asked.
  ///   - asker: the binding that wants it.
  ///   - isAllowingArguments: whether the one that wants it may give run-time arguments. A factory closure may; an initialiser's
  ///     parameter has none to give.
  init(
    for dependency: Dependency, in container: Container, asker: Binding? = nil,
    allowingArguments isAllowingArguments: Bool
  ) {
    for form in dependency.forms {
      if let found = container.locate(form) {
        targets = [found]
        return
      }
    }
    let identity = dependency.identity
    switch dependency.need {
    case .all: targets = container.elements(of: dependency, for: asker?.address ?? 0)
    case .required, .optional:
      find(identity, in: container, allowingArguments: isAllowingArguments)
      isMissing = dependency.need == .required && targets.isEmpty && !identity.isBuiltIn
    case .deferred:
      isLater = true
      // Whoever has a provider can call it with arguments.
      find(identity, in: container, allowingArguments: true)
      guard targets.isEmpty, !identity.isBuiltIn else { return }
      findRelated(identity, in: container)
      if dependency.isOptional { isMissing = false }
    }
  }

  private mutating func find(
    _ identity: ServiceIdentity, in container: Container, allowingArguments: Bool
  ) {
    if let found = container.locate(identity) {
      targets = [found]
    } else if allowingArguments {
      targets = container.searchOrder.flatMap { container in
        container.ownBindings(of: identity.service).filter { $0.key == identity.key }
          .map { Located(binding: $0, container: container) }
      }
      needsArguments = !targets.isEmpty
    }
  }

  /// What is resolved later may be of a relationship type itself, as `Provider<Owned<Session>>`.
  private mutating func findRelated(_ identity: ServiceIdentity, in container: Container) {
    guard let related = identity.service as? any RelationshipType.Type else {
      isMissing = true
      return
    }
    func dependency<Related: RelationshipType>(_ type: Related.Type) -> Dependency {
      Dependency(type, key: identity.key)
    }
    let search = DependencySearch(
      for: dependency(related), in: container, allowingArguments: true)
    targets = search.targets
    isMissing = search.isMissing
  }
}
