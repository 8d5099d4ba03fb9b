extension Container {
  /// Checks what is registered, without building anything: no factory, hook or condition runs.
  ///
  /// ```swift
  /// @Test func everythingCanBeBuilt() throws {
  ///   let report = try AppContainer.make().validate()
  ///   #expect(report.opaque.isEmpty)
  /// }
  /// ```
  ///
  /// It looks at the registrations of this container, and at all that they lead to in its links and parents; for each
  /// dependency it finds what a resolve would find. These are problems:
  ///
  /// - ``ValidationError/Kind/missingDependency``: nothing is registered for what somebody takes. `T?`, `[T]` and `[Key: T]` are never
  ///   missing; what a ``Lazy`` or ``Provider`` stands for is, if there is nothing, not even with run-time arguments.
  /// - ``ValidationError/Kind/cycle``: services that need each other to be built. ``Lazy`` and ``Provider`` break
  ///   a cycle; an injected property of a service that is kept or in ``Scope/graph`` does, too.
  /// - ``ValidationError/Kind/captiveDependency``: a service keeps another one, directly or through transient ones, beyond the
  ///   end that the other one's registration sets.
  /// - ``ValidationError/Kind/asyncRequired``: a synchronous factory takes what is built asynchronously. An eager singleton is taken
  ///   for built by ``start()``.
  /// - ``ValidationError/Kind/ambiguous``: several alternatives of one service fit equally well.
  /// - ``ValidationError/Kind/faultyRegistration``: what ``init(name:parent:configuration:_:)``, which cannot throw, has
  ///   accepted all the same.
  ///
  /// What is known are the parameters of autowired initialisers, injected properties, and what
  /// `dependsOn(_:)` declares. Factory closures without a declaration are reported as
  /// ``ValidationReport/opaque``; what decorators and hooks resolve by themselves is not seen.
  ///
  /// A service in ``Scope/scoped`` or ``Scope/scoped(_:)`` is built with what its scope has, and that is not known before there is one.
  /// What such services take and is not registered, directly or through transient ones, is no problem, then, but is listed in
  /// ``ValidationReport/expectedFromScopes``: a test can say what that should be. Transient services may take the same; what lives
  /// outside of scopes may not. To have it checked, too, call this on a scope:
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
  /// That a singleton, a pooled service, or one in a managed scope takes a scoped or a pooled one is a captive dependency, as far as the
  /// latter ends with a scope that is to come: it would get one for itself alone, or none. Of scopes of different names it is
  /// not known which one is inside the other: that they take from each other is no problem here.
  ///
  /// - Returns: what could not be checked.
  /// - Throws: one ``ValidationError`` with all problems. In a large tangle of cycles each dependency that is part of one is shown
  ///   in at least one.
  /// - Complexity: O(*n* + *e*) in registrations and dependencies where there are no problems.
  /// - Concurrency: from any thread. Registrations that change meanwhile may be seen as they were or as they are.
  @discardableResult
  public nonisolated func validate() throws(ValidationError) -> ValidationReport {
    try validated()
  }

  /// Checks what is registered, without building anything, when the modules of the initial registrations have run.
  ///
  /// It waits for these first, as ``start()`` does, since they may register more; what they throw is for
  /// ``waitUntilLoaded()`` to tell. Then it does what the synchronous form does.
  ///
  /// - Returns: what could not be checked.
  /// - Throws: one ``ValidationError`` with all problems.
  /// - Concurrency: from any task; the check does not run on the caller's actor.
  @concurrent
  @discardableResult
  public nonisolated func validate() async throws(ValidationError) -> ValidationReport {
    try? await waitUntilLoaded()
    return try validated()
  }

  private nonisolated func validated() throws(ValidationError) -> ValidationReport {
    // What it tells of is the container, whatever overrides are in force.
    let validation = OverrideLayer.$current.withValue(nil) {
      Validation(of: DependencyWalk(from: self))
    }
    let problems = validation.problems
    guard problems.isEmpty else {
      throw ValidationError(
        problems: problems, opaque: validation.opaque, expectedFromScopes: validation.expectedFromScopes,
        container: name)
    }
    return ValidationReport(opaque: validation.opaque, expectedFromScopes: validation.expectedFromScopes)
  }
}

/// What a container can tell of its registrations when there is nothing wrong with them.
public struct ValidationReport: Sendable {
  /// Registrations whose factories take nobody knows what, in order: closures without `dependsOn(_:)`.
  public let opaque: [RegistrationInfo]

  /// What services that live in scopes take, and nobody has registered: the scopes themselves have to, as a server registers the
  /// request in each ``Container/withScope(_:_:operation:)``.
  public let expectedFromScopes: [RegistrationInfo.Dependency]
}
