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
    if let found = Self.ofForms(of: dependency, in: container) {
      self = found
    } else if dependency.need == .all {
      self = .ofElements(of: dependency, in: container, for: asker)
    } else {
      self = .ofService(of: dependency, in: container, allowingArguments: isAllowingArguments)
    }
  }

  /// - Parameter forms: The relationship types around the targets.
  private init(_ need: Dependency.Need, within forms: some Sequence<ServiceIdentity>) {
    self.need = need
    isOwned = forms.contains { RelationshipTypes.relationship($0.service)?.opensScope == true }
  }

  /// Looks up an explicit registration of a relationship type itself; nil if there is none.
  private static func ofForms(of dependency: Dependency, in container: Container) -> DependencySearch? {
    for (index, form) in dependency.forms.enumerated() {
      guard let found = container.locate(form) else { continue }
      let need: Dependency.Need = dependency.isOptional ? .optional : .required
      var search = DependencySearch(need, within: dependency.forms[..<index])
      search.targets = [found]
      return search
    }
    return nil
  }

  /// Looks up the elements of a collection.
  private static func ofElements(
    of dependency: Dependency, in container: Container, for asker: BindingID?
  ) -> DependencySearch {
    var search = DependencySearch(dependency.need, within: dependency.forms)
    search.targets = container.elements(of: dependency, for: asker)
    return search
  }

  /// Looks up a single service.
  private static func ofService(
    of dependency: Dependency, in container: Container, allowingArguments isAllowingArguments: Bool
  ) -> DependencySearch {
    var search = DependencySearch(dependency.need, within: dependency.forms)
    search.isLater = dependency.need == .deferred
    let identity = dependency.identity
    let isAllowingArguments = isAllowingArguments || dependency.takesArguments
    let placed: Located?
    do {
      placed = try container.locate(identity) ?? container.placeDefault(of: identity)
    } catch {
      // The default of a token has no target while its closure runs.
      return search
    }
    if let placed, placed.binding.identity.isSame(as: identity) {
      search.targets = [placed]
    } else if isAllowingArguments {
      search.targets = container.locateWithAnyArguments(identity)
      if let placed, !search.targets.contains(where: { $0.binding.identity.isSame(as: placed.binding.identity) }) {
        search.targets.append(placed)
      }
      search.needsArguments = !search.targets.isEmpty
    }
    guard search.targets.isEmpty, !identity.isBuiltIn else { return search }
    search.isMissing = !dependency.isOptional
    guard search.isLater, let nested = dependency.nested else { return search }
    let inner = DependencySearch(for: nested, in: container, allowingArguments: isAllowingArguments)
    search.targets = inner.targets
    search.isMissing = !dependency.isOptional && inner.isMissing
    return search
  }
}

extension Container {
  /// Whether a parameter can be resolved under exactly its own key.
  ///
  /// - Parameter asker: The binding that has the parameter.
  nonisolated func has(_ dependency: Dependency, for asker: BindingID?) -> Bool {
    !DependencySearch(for: dependency, in: self, asker: asker, allowingArguments: false).targets.isEmpty
  }

  /// The parameter of an initialiser as it is resolved with an inherited key.
  ///
  /// - Parameters:
  ///   - key: The inherited key, if any.
  ///   - asker: The binding that has the parameter.
  /// - Returns: The parameter, under the key if it can be resolved so; otherwise the key for the parameters of its own initialiser, too.
  nonisolated func parameter(
    _ parameter: Dependency, inheriting key: Key?, for asker: BindingID?
  ) -> (dependency: Dependency, handedKey: Key?) {
    guard let key else { return (parameter, nil) }
    let keyed = parameter.with(key)
    if has(keyed, for: asker) { return (keyed, nil) }
    // Relationship types do not pass the key on.
    return (parameter, parameter.forms.isEmpty ? key : nil)
  }
}
