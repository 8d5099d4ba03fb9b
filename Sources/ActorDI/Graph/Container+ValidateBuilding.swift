extension Container {
  /// Checks what is registered as `validate()` does and, if nothing is wrong with it, builds all of it once.
  ///
  /// ```swift
  /// @Test func everythingComesUp() async throws {
  ///   try await AppContainer.make().validate(building: true)
  /// }
  /// ```
  ///
  /// Each registration without run-time arguments is built with whatever it takes, kept ones too: for the check alone, in a throw-away scope,
  /// beside what this container and its parents keep. Nothing of it gets into them, and all of it is disposed of before the function
  /// returns. What has to be registered by scopes, ``ValidationReport/expectedFromScopes``, is not there; a service that fails for want of
  /// that has passed.
  ///
  /// Factories and hooks run: they do what they do, connect or write. Observers and subscribers are told of them.
  ///
  /// - Parameter isBuilding: whether to build.
  /// - Returns: what could not be checked.
  /// - Throws: one ``ValidationError`` with all problems: those of the check or, if there are none, one
  ///   ``ValidationError/Kind/buildFailed`` for each registration that cannot be built and for each instance that cannot be disposed of.
  /// - Concurrency: from any task; not on the caller's actor. While it runs, all resolves in the process take a longer path.
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

/// Builds what a container has, beside what it keeps: under a layer without overrides that keeps everything for itself.
private struct TrialBuild {
  private let container: Container
  /// What only scopes have.
  private let expected: Set<ServiceIdentity.Name>

  init(of container: Container, _ report: ValidationReport) {
    self.container = container
    expected = Set(report.expectedFromScopes.map(\.dependency.identity.name))
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

  /// What nobody keeps beyond a scope is built in one.
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
    return expected.contains(identity.name)
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
    // What was found for the build is found again.
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
