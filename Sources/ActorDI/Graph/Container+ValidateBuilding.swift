extension Container {
  /// Checks the registrations as `validate()` does and, if there are no problems, builds each of them once.
  ///
  /// ```swift
  /// @Test func everythingComesUp() async throws {
  ///   try await AppContainer.make().validate(building: true)
  /// }
  /// ```
  ///
  /// Each registration without run-time arguments is built with its dependencies. Services that scopes keep, and those that no container
  /// keeps, are built in temporary scopes. These have the names of all scopes that the registrations name, unless this container or a
  /// parent has the name.
  ///
  /// Services that refer to one another through hooks are built once from each side, since a hook that resolves may build from one side
  /// only. All new instances are temporary, also the instances of kept services. They do not get into this container or its parents, and
  /// are disposed of before the function returns.
  ///
  /// Within the operation of `withOverrides`, the overrides are built in place of the services that they replace, and as
  /// their dependents' dependencies. The check before, as by `validate()`, describes the container without them.
  ///
  /// Services that scopes have to register, ``ValidationReport/expectedFromScopes``, are not available. A service that fails
  /// only because one of them is missing passes the check.
  ///
  /// Factories and hooks run with all their effects, such as connecting or writing. Override the services whose effects are
  /// not wanted. Observers and subscribers are notified.
  ///
  /// - Parameter isBuilding: Whether to build the services.
  /// - Returns: A report of what could not be checked.
  /// - Throws: One ``ValidationError`` with all problems of the check. If there are none, it has one
  ///   ``ValidationError/Kind/buildFailed`` for each registration that cannot be built and each instance that cannot be
  ///   disposed of.
  /// - Concurrency: Callable from any task; does not run on the caller's actor. While it runs, all resolves in the process
  ///   check for overrides, which makes them slower.
  @concurrent @discardableResult
  public nonisolated func validate(building isBuilding: Bool) async throws(ValidationError) -> ValidationReport {
    let report = try await validate()
    guard isBuilding else { return report }
    let expected = report.expectedFromScopes
    var (problems, circles) = await problemsOfBuilding(registry.withLock { $0.bindings }, expecting: expected)
    if problems.isEmpty {
      for binding in circles { problems += await problemsOfBuilding([binding], expecting: expected).problems }
    }
    guard problems.isEmpty else { throw ValidationError(problems, report, container: name) }
    return report
  }

  /// Builds services under a layer of its own, which keeps every instance apart from the container's and from those of the
  /// overrides in force.
  ///
  /// - Parameter expected: The services that only scopes have.
  /// - Returns: The problems, and the services that refer to one another.
  private nonisolated func problemsOfBuilding(
    _ bindings: [Binding], expecting expected: [RegistrationInfo.Dependency]
  ) async -> (problems: [ValidationError.Problem], circles: [Binding]) {
    let layer = OverrideLayer(over: self, within: OverrideLayer.active, isolatesAll: true)
    layer.begin()
    var problems: [ValidationError.Problem] = []
    var circles: [Binding] = []
    await OverrideLayer.$current.withValue(layer) {
      let names = namesOfFutureScopes
      for binding in bindings where binding.identity.arguments.isEmpty {
        let override = OverrideLayer.locate(binding.identity, for: self)
        do { try await buildOnce(override?.binding ?? binding, inScopes: names) } catch {
          let resolution = error as? ResolutionError
          let isExpected = expected.contains { $0.dependency.identity == resolution?.identity }
          if isExpected && resolution?.code == .notRegistered { continue }
          let path = resolution?.path ?? []
          problems.append(
            ValidationError.Problem(
              kind: .buildFailed, identity: resolution?.identity ?? binding.identity,
              path: path.isEmpty ? [binding.identity.description] : path, container: name,
              source: binding.descriptor.source, error: resolution, underlying: error, suggestions: [],
              text: "\(binding.identity) could not be built: \(oneLine(error))"))
        }
      }
      circles = bindingsInCircles
    }
    for failure in await layer.end(after: .completed) {
      // This lookup finds the same binding that the build found.
      guard let source = locate(failure.identity)?.binding.descriptor.source else { continue }
      problems.append(
        ValidationError.Problem(
          kind: .buildFailed, identity: failure.identity, path: [failure.identity.description],
          container: failure.container, source: source, error: nil, underlying: failure.error,
          suggestions: [], text: oneLine(failure)))
    }
    return (problems, circles)
  }

  /// Builds a service; if no container keeps it longer than a scope, in temporary scopes.
  ///
  /// - Parameter names: The names of the scopes that the service and its dependencies may need, apart from its own.
  private nonisolated func buildOnce(_ binding: Binding, inScopes names: [String]) async throws {
    let scope = binding.effectiveScope
    if scope.policy.isBuiltByOwner { return try await binding.ensureBuilt(for: Resolver(container: self)) }
    let own = scope.containerName ?? "scope"
    let others = names.filter { $0 != own }
    // The program's nesting of its scopes is unknown. Repeated as often as it has names, the list contains them in every order.
    try await build(binding, inScopes: repeatElement(others, count: others.count).flatMap { $0 } + [own])
  }

  /// Builds a service in the last of several scopes, each of which is opened in the one before.
  private nonisolated func build(_ binding: Binding, inScopes names: ArraySlice<String>) async throws {
    guard let name = names.first else { return try await binding.ensureBuilt(for: Resolver(container: self)) }
    try await withScope(ScopeName(name)) { scope in
      try await scope.build(binding, inScopes: names.dropFirst())
    }
  }

  /// The names of the scopes that the registrations and the overrides in force name, and that do not exist yet.
  private nonisolated var namesOfFutureScopes: [String] {
    let searched = OverrideLayer.overlays(for: self) + searchOrder
    let names = Set(searched.flatMap(\.allBindings).compactMap(\.effectiveScope.containerName))
    return names.subtracting(lineage.map(\.name)).sorted()
  }
}
