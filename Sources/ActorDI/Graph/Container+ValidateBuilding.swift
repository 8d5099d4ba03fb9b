extension Container {
  /// Checks the registrations as `validate()` does and, if there are no problems, builds each of them once.
  ///
  /// ```swift
  /// @Test func everythingComesUp() async throws {
  ///   try await AppContainer.make().validate(building: true)
  /// }
  /// ```
  ///
  /// Each registration without run-time arguments is built with its dependencies. A temporary scope keeps all new
  /// instances, those of kept services included. They do not get into this container or its parents. All are disposed of before
  /// the function returns.
  ///
  /// Services that scopes have to register, ``ValidationReport/expectedFromScopes``, are not available. A service that fails
  /// only because one of them is missing passes the check.
  ///
  /// Factories and hooks run with all their effects, such as connecting or writing. Observers and subscribers are notified.
  ///
  /// - Parameter isBuilding: Whether to build the services.
  /// - Returns: A report of what could not be checked.
  /// - Throws: One ``ValidationError`` with all problems of the check. If there are none, it has one
  ///   ``ValidationError/Kind/buildFailed`` for each registration that cannot be built and each instance that cannot be
  ///   disposed of.
  /// - Concurrency: Callable from any task; does not run on the caller's actor. While it runs, all resolves in the process
  ///   check for overrides, which makes them slower.
  @concurrent
  @discardableResult
  public nonisolated func validate(
    building isBuilding: Bool
  ) async throws(ValidationError) -> ValidationReport {
    let report = try await validate()
    guard isBuilding else { return report }
    let problems = await TrialBuild(of: self, report).problems()
    guard problems.isEmpty else {
      throw ValidationError(
        problems: problems, opaque: report.opaque, expectedFromScopes: report.expectedFromScopes,
        container: name)
    }
    return report
  }
}

/// Builds all services of a container under a layer without overrides, which keeps every instance apart from the container's
/// own.
private struct TrialBuild {
  private let container: Container
  /// The services that only scopes have.
  private let expected: Set<ServiceIdentity>

  init(of container: Container, _ report: ValidationReport) {
    self.container = container
    expected = Set(report.expectedFromScopes.map(\.dependency.identity))
  }

  func problems() async -> [ValidationError.Problem] {
    let layer = OverrideLayer(isolating: container)
    layer.begin()
    var problems: [ValidationError.Problem] = []
    await OverrideLayer.$current.withValue(layer) {
      for binding in container.registry.withLock({ $0.bindings }) where binding.identity.arguments.isEmpty {
        do { try await build(binding) } catch {
          if !isExpected(error) { problems.append(problem(with: binding, error)) }
        }
      }
    }
    let failures = await layer.end(after: .completed)
    return problems + failures.compactMap(problem)
  }

  /// Builds a service; if no container keeps it longer than a scope, in a temporary scope.
  private func build(_ binding: Binding) async throws {
    let scope = binding.effectiveScope
    if scope.isBuiltByOwner {
      try await binding.build(for: Resolver(container: container))
    } else {
      try await build(binding, inScope: scope.containerName ?? "scope")
    }
  }

  private func build(_ binding: Binding, inScope name: String) async throws {
    try await container.withScope(name) { scope in
      try await binding.build(for: Resolver(container: scope))
    }
  }

  private func isExpected(_ error: any Error) -> Bool {
    guard let error = error as? ResolutionError, error.code == .notRegistered, let identity = error.identity
    else { return false }
    return expected.contains(identity)
  }

  private func problem(with binding: Binding, _ error: any Error) -> ValidationError.Problem {
    let resolution = error as? ResolutionError
    let path = resolution?.path.isEmpty == false ? resolution?.path : nil
    return ValidationError.Problem(
      kind: .buildFailed, identity: resolution?.identity ?? binding.identity,
      path: path ?? [binding.identity.description], container: container.name,
      source: binding.descriptor.source, error: resolution, underlying: error, suggestions: [],
      text: "\(binding.identity) could not be built: \(Self.line(error))")
  }

  private func problem(with failure: ShutdownError.Failure) -> ValidationError.Problem? {
    // This lookup finds the same binding that the build found.
    guard let source = container.locate(failure.identity)?.binding.descriptor.source else { return nil }
    return ValidationError.Problem(
      kind: .buildFailed, identity: failure.identity, path: [failure.identity.description],
      container: failure.container, source: source, error: nil, underlying: failure.error,
      suggestions: [], text: Self.line(failure))
  }

  private static func line(_ value: some Any) -> String {
    "\(value)".split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
