/// The bindings that would satisfy a dependency, and how certainly.
struct DependencySearch {
  private(set) var targets: [Located] = []
  /// How the targets are needed. An explicit registration of a relationship type is needed itself.
  private(set) var need: Dependency.Need
  /// Whether the targets are resolved later than the dependent service, if at all.
  private(set) var isLater = false
  /// Whether the targets are resolved from a scope of their own: that of an ``Owned``.
  private(set) var isOwned = false
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
  ///   - isAllowingArguments: Whether the dependent service may pass run-time arguments. A factory closure may; for a parameter of an
  ///     initialiser, only the call of a ``Provider`` may.
  init(
    for dependency: Dependency, in container: Container, asker: BindingID? = nil,
    allowingArguments isAllowingArguments: Bool
  ) {
    need = dependency.need
    for form in dependency.forms {
      if let found = container.locate(form) {
        targets = [found]
        need = dependency.isOptional ? .optional : .required
        return
      }
      if RelationshipTypes.relationship(form.service)?.opensScope == true { isOwned = true }
    }
    if dependency.need == .all {
      targets = container.elements(of: dependency, for: asker)
      return
    }
    let identity = dependency.identity
    isLater = dependency.need == .deferred
    let isAllowingArguments = isAllowingArguments || dependency.takesArguments
    var placed: Located?
    do {
      placed = try container.locate(identity) ?? container.placeDefault(of: identity)
    } catch {
      // The default of a token has no target while its closure runs.
      return
    }
    if let placed, placed.binding.identity.isSame(as: identity) {
      targets = [placed]
    } else if isAllowingArguments {
      targets = container.locateWithAnyArguments(identity)
      if let placed, !targets.contains(where: { $0.binding.identity.isSame(as: placed.binding.identity) }) {
        targets.append(placed)
      }
      needsArguments = !targets.isEmpty
    }
    guard targets.isEmpty, !identity.isBuiltIn else { return }
    isMissing = !dependency.isOptional
    guard isLater, let nested = dependency.nested else { return }
    let search = DependencySearch(for: nested, in: container, allowingArguments: isAllowingArguments)
    targets = search.targets
    isMissing = isMissing && search.isMissing
  }
}
