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
  ///   ``ValidationError/Kind/buildFailed`` for each registration that cannot be built and each service whose instance cannot be
  ///   disposed of. If the task is cancelled, the check stops at the first service that it has to wait for, which is the last problem,
  ///   with a `CancellationError` as ``ValidationError/Problem/underlying``.
  /// - Concurrency: Callable from any task; does not run on the caller's actor. While it runs, all resolves in the process
  ///   check for overrides, which makes them slower.
  @concurrent @discardableResult
  public nonisolated func validate(building isBuilding: Bool) async throws(ValidationError) -> ValidationReport {
    let report = try await validate()
    guard isBuilding else { return report }
    let expected = report.expectedFromScopes
    var (problems, cycles) = await problemsOfBuilding(registry.withLock { $0.bindings }, expecting: expected)
    if problems.isEmpty {
      for binding in cycles { problems += await problemsOfBuilding([binding], expecting: expected).problems }
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
  ) async -> (problems: [ValidationError.Problem], cycles: [Binding]) {
    let layer = OverrideLayer(over: self, within: OverrideLayer.active, isolatesAll: true)
    var problems: [ValidationError.Problem] = []
    var failures: [ShutdownError.Failure] = []
    let (cycles, lastFailures) = await layer.run {
      let names = namesOfFutureScopes
      for binding in bindings where binding.identity.arguments.isEmpty {
        let override = OverrideLayer.locate(binding.identity, for: self)
        do {
          failures += try await buildOnce(override?.binding ?? binding, inScopes: names)
        } catch {
          let isCancelled = error is CancellationError && Task.isCancelled
          if isCancelled || !isForScopes(error, expecting: expected) {
            problems.append(problem(of: binding, error, isCancelled: isCancelled))
          }
          // Whatever suspends would fail in the same way.
          if isCancelled { break }
        }
      }
      return bindingsInCycles
    }
    // A service of scopes may have been disposed of in several.
    var reported: Set<ServiceIdentity> = []
    for failure in failures + lastFailures where reported.insert(failure.identity).inserted {
      // This lookup finds the same binding that the build found.
      guard let source = locate(failure.identity)?.binding.descriptor.source else { continue }
      problems.append(
        ValidationError.Problem(
          failure.identity, in: failure.container, at: source, underlying: failure.error, text: oneLine(failure)))
    }
    return (problems, cycles)
  }

  /// Whether a build has failed because it needs a service that only scopes have.
  private nonisolated func isForScopes(
    _ error: any Error, expecting expected: [RegistrationInfo.Dependency]
  ) -> Bool {
    guard let error = error as? ResolutionError else { return false }
    // The service may be registered with other run-time arguments.
    return [.notRegistered, .argumentMismatch].contains(error.code)
      && expected.contains { $0.dependency.identity == error.identity }
  }

  /// The problem of a service that could not be built.
  private nonisolated func problem(
    of binding: Binding, _ error: any Error, isCancelled: Bool
  ) -> ValidationError.Problem {
    ValidationError.Problem(
      binding.identity, error as? ResolutionError, in: name, at: binding.descriptor.source, underlying: error,
      text: isCancelled
        ? "The check was cancelled before \(binding.identity) was built."
        : "\(binding.identity) could not be built: \(oneLine(error))")
  }

  /// Builds a service; if no container keeps it longer than a scope, in temporary scopes.
  ///
  /// - Parameter names: The names of the scopes that the service and its dependencies may need, apart from its own.
  /// - Returns: The failures of the scopes' disposals.
  private nonisolated func buildOnce(
    _ binding: Binding, inScopes names: [String]
  ) async throws -> [ShutdownError.Failure] {
    let scope = binding.effectiveScope
    if scope.policy.isBuiltByOwner { return try await build(binding, inScopes: []) }
    let own = scope.containerName ?? "scope"
    let others = names.filter { $0 != own }
    // The program's nesting of its scopes is unknown. Repeated as often as it has names, the list contains them in every order.
    return try await build(binding, inScopes: repeatElement(others, count: others.count).flatMap { $0 } + [own])
  }

  /// Builds a service in the last of several scopes, each of which is opened in the one before.
  ///
  /// - Returns: The failures of the scopes' disposals.
  private nonisolated func build(
    _ binding: Binding, inScopes names: ArraySlice<String>
  ) async throws -> [ShutdownError.Failure] {
    guard let name = names.first else {
      try await binding.ensureBuilt(for: Resolver(container: self))
      return []
    }
    var failures: [ShutdownError.Failure]?
    do {
      try await withScope(ScopeName(name)) { scope in
        failures = try await scope.build(binding, inScopes: names.dropFirst())
      }
    } catch let error as ShutdownError {
      // Without failures from within, the service has thrown it.
      guard let failures else { throw error }
      return failures + error.failures
    }
    return failures ?? []
  }

  /// The names of the scopes that the registrations and the overrides in force name, and that do not exist yet.
  private nonisolated var namesOfFutureScopes: [String] {
    let searched = OverrideLayer.overlays(for: self) + searchOrder
    let names = Set(searched.flatMap(\.allBindings).compactMap(\.effectiveScope.containerName))
    return names.subtracting(lineage.map(\.name)).sorted()
  }
}

extension ValidationError.Problem {
  /// A service that could not be built or disposed of.
  ///
  /// - Parameter resolution: The error of the resolve that built it, if it is one of resolving.
  fileprivate init(
    _ identity: ServiceIdentity, _ resolution: ResolutionError? = nil, in container: String,
    at source: RegistrationSource, underlying: (any Error)?, text: String
  ) {
    let path = resolution?.path ?? []
    self.init(
      kind: .buildFailed, identity: resolution?.identity ?? identity,
      path: path.isEmpty ? [identity.description] : path, container: container, source: source, error: resolution,
      underlying: underlying, suggestions: [], text: text)
  }
}
