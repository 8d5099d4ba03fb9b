extension Container {
  /// Checks the registrations without building anything: no factory, hook or condition runs.
  ///
  /// ```swift
  /// @Test func everythingCanBeBuilt() throws {
  ///   let report = try AppContainer.make().validate()
  ///   #expect(report.opaque.isEmpty)
  /// }
  /// ```
  ///
  /// The check covers the registrations of this container, and all that they lead to in its links and parents. It looks up
  /// each dependency as a resolve would. These are problems:
  ///
  /// - ``ValidationError/Kind/missingDependency``: A dependency is not registered. `T?`, `[T]` and `[Key: T]` are never
  ///   missing. The service of a ``Provider``, whose call can pass run-time arguments, is missing if it is not registered with any of them
  ///   either.
  /// - ``ValidationError/Kind/cycle``: Services need each other to be built. ``Lazy`` and ``Provider`` break a cycle; so does
  ///   an injected property of a service that is kept or in ``Scope/graph``.
  /// - ``ValidationError/Kind/captiveDependency``: A service keeps another one longer than that one's registration allows,
  ///   directly or through transient services.
  /// - ``ValidationError/Kind/asyncRequired``: A synchronous factory takes a service that is built asynchronously, or so do the
  ///   synchronous hooks of an autowired registration. An eager singleton counts as already built by ``start()``.
  /// - ``ValidationError/Kind/ambiguous``: Several alternatives of one service fit equally well.
  /// - ``ValidationError/Kind/faultyRegistration``: A registration is invalid by itself.
  ///   ``init(name:parent:configuration:_:)`` accepts it, since it cannot throw.
  ///
  /// The known dependencies are the parameters of autowired initialisers, injected properties and `dependsOn(_:)`
  /// declarations. The report lists factory closures without a declaration as ``ValidationReport/opaque``. The check does not
  /// see what decorators and hooks resolve by themselves.
  ///
  /// A service in ``Scope/scoped`` or ``Scope/scoped(_:)`` is built with the registrations of its scope, which are unknown
  /// until the scope exists. So a missing dependency of such a service, direct or through transient services, is no problem;
  /// ``ValidationReport/expectedFromScopes`` lists it. A test can compare that list with the expected services. Transient
  /// services may take the same services, but services that live outside of scopes may not. To check these dependencies, too,
  /// call this method on a scope:
  ///
  /// ```swift
  /// #expect(try app.validate().expectedFromScopes.map(\.description) == ["Request"])
  ///
  /// let report = try await app.withScope("request") {
  ///   Registration(instance: Request.example)
  /// } operation: { scope in
  ///   try await scope.validate()   // the scoped registrations of its parents, too
  /// }
  /// #expect(report.expectedFromScopes.isEmpty)
  /// ```
  ///
  /// A service that is built outside of scopes must not take a scoped or pooled service that ends with a future scope. Such services
  /// are singletons, shared, automatic and pooled services, and those in a managed scope. The dependency is captive: the dependent
  /// service would get an instance of its own, or none. The services of a ``Lazy`` or a ``Provider`` are not checked for this, although
  /// such a service resolves them outside of scopes, too. Scopes of different names may be nested either way, so dependencies between
  /// scopes that are not open are no problem here. What is above a container that is open now is known: a service that such a container
  /// keeps by name, or as an open scope, may not take one of a named scope that is not there.
  ///
  /// - Returns: A report of what could not be checked.
  /// - Throws: One ``ValidationError`` with all problems. In a large tangle of cycles, each dependency that is part of a
  ///   cycle appears in at least one of them.
  /// - Complexity: O(*n* + *e*) in registrations and dependencies if there are no problems.
  /// - Concurrency: Callable from any thread. The check may or may not see concurrent changes of registrations.
  @discardableResult
  public nonisolated func validate() throws(ValidationError) -> ValidationReport { try validated() }

  /// Checks the registrations without building anything, after the modules of the initial registrations have loaded.
  ///
  /// The check waits for the modules, as ``start()`` does, since they may register more. It ignores their errors, which
  /// ``waitUntilLoaded()`` throws. Then it does the same as the synchronous form.
  ///
  /// - Returns: A report of what could not be checked.
  /// - Throws: One ``ValidationError`` with all problems.
  /// - Concurrency: Callable from any task; the check does not run on the caller's actor.
  @concurrent @discardableResult
  public nonisolated func validate() async throws(ValidationError) -> ValidationReport {
    try? await waitUntilLoaded()
    return try validated()
  }

  private nonisolated func validated() throws(ValidationError) -> ValidationReport {
    let validation = Validation(of: .ofRegistrations(from: self))
    let expected = validation.walk.expectedFromScopes.map { RegistrationInfo.Dependency(dependency: $0) }
    let report = ValidationReport(
      opaque: validation.opaque, expectedFromScopes: expected, replaced: searchOrder.flatMap(\.replacements))
    let problems = validation.problems
    guard problems.isEmpty else { throw ValidationError(problems, report, container: name) }
    return report
  }
}

extension Container {
  /// The registrations of this container that later ones of their own batch have replaced.
  fileprivate nonisolated var replacements: [ValidationReport.Replacement] {
    registryIfAny?.withLock { registry in
      registry.bindings.flatMap { Candidates.of($0.undecorated) }.flatMap { standing in
        standing.replaced.map { ValidationReport.Replacement(replaced: $0, standing: RegistrationInfo(standing)) }
      }
    } ?? []
  }
}
