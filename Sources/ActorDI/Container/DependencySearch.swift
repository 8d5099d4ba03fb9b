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
  ///   - container: The container to search from.
  ///   - asker: The binding of the dependent service, if there is one.
  ///   - isAllowingArguments: Whether the dependent service may pass run-time arguments. A factory closure may; a parameter
  ///     of an initialiser cannot.
  init(
    for dependency: Dependency, in container: Container, asker: BindingID? = nil,
    allowingArguments isAllowingArguments: Bool
  ) {
    for form in dependency.forms {
      if let found = container.locate(form) {
        targets = [found]
        return
      }
    }
    if dependency.need == .all {
      targets = container.elements(of: dependency, for: asker)
      return
    }
    let identity = dependency.identity
    isLater = dependency.need == .deferred
    if let found = container.locate(identity) ?? container.placeDefault(of: identity) {
      targets = [found]
    } else if isAllowingArguments || isLater {
      // A provider can be called with arguments.
      targets = container.searchOrder.flatMap { owner in
        owner.ownBindings(of: identity.service).filter { $0.key == identity.key }
          .map { Located(binding: $0, container: owner) }
      }
      needsArguments = !targets.isEmpty
    }
    guard targets.isEmpty, !identity.isBuiltIn else { return }
    isMissing = !dependency.isOptional
    guard isLater, let nested = dependency.nested else { return }
    let search = DependencySearch(for: nested, in: container, allowingArguments: true)
    targets = search.targets
    isMissing = isMissing && search.isMissing
  }
}
