/// The bindings that would satisfy a dependency, and how certainly.
struct DependencySearch {
  private(set) var targets: [Located] = []
  /// Whether the targets are resolved later than the dependent service, if at all.
  private(set) var isLater = false
  /// Whether the targets are candidates with run-time arguments, one of which may be taken.
  private(set) var needsArguments = false
  /// Whether a resolve would find nothing and fail.
  private(set) var isMissing = false

  /// Looks up a dependency.
  ///
  /// - Parameters:
  ///   - dependency: The dependency to look up.
  ///   - container: The container that is asked.
  ///   - asker: The binding of the dependent service.
  ///   - isAllowingArguments: Whether the dependent service may pass run-time arguments. A factory closure may; a parameter
  ///     of an initialiser cannot.
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
      // A provider can be called with arguments.
      find(identity, in: container, allowingArguments: true)
      guard targets.isEmpty, !identity.isBuiltIn else { return }
      isMissing = !dependency.isOptional
      guard identity.service is any RelationshipType.Type else { return }
      // The dependency is itself a relationship type, such as `Provider<Owned<Session>>`.
      let search = DependencySearch(for: Dependency(on: identity), in: container, allowingArguments: true)
      targets = search.targets
      isMissing = isMissing && search.isMissing
    }
  }

  private mutating func find(
    _ identity: ServiceIdentity, in container: Container, allowingArguments: Bool
  ) {
    if let found = container.locate(identity) {
      targets = [found]
    } else if allowingArguments {
      targets = container.candidates(for: identity)
      needsArguments = !targets.isEmpty
    }
  }
}

extension Container {
  /// The registrations that a request with some run-time arguments may find.
  nonisolated func candidates(for identity: ServiceIdentity) -> [Located] {
    searchOrder.flatMap { container in
      container.ownBindings(of: identity.service).filter { $0.key == identity.key }
        .map { Located(binding: $0, container: container) }
    }
  }
}
