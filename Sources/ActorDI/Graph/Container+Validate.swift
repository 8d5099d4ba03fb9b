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
  /// - ``ValidationError/Kind/missingDependency``: nothing is registered for what somebody takes. `T?` and `[T]` are never
  ///   missing; what a ``Lazy`` or ``Provider`` stands for is, if there is nothing, not even with run-time arguments.
  /// - ``ValidationError/Kind/cycle``: services that need each other to be built. ``Lazy`` and ``Provider`` break
  ///   a cycle; an injected property of a service that is kept or in ``Scope/graph`` does, too.
  /// - ``ValidationError/Kind/captiveDependency``: a service keeps another one, directly or through transient ones, beyond the
  ///   end that the other one's registration sets.
  /// - ``ValidationError/Kind/asyncRequired``: a synchronous factory takes what is built asynchronously. An eager singleton is taken
  ///   for built by ``start()``.
  /// - ``ValidationError/Kind/ambiguous``: several autowired registrations of one service fit equally well.
  /// - ``ValidationError/Kind/faultyRegistration``: what ``init(name:parent:configuration:_:)``, which cannot throw, has
  ///   accepted all the same.
  ///
  /// What is known are the parameters of autowired initialisers, injected properties, and what
  /// `dependsOn(_:)` declares. Factory closures without a declaration are reported as
  /// ``ValidationReport/opaque``; what decorators and hooks resolve by themselves is not seen.
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
    let validation = Validation(of: DependencyWalk(from: self))
    let problems = validation.problems
    guard problems.isEmpty else {
      throw ValidationError(problems: problems, opaque: validation.opaque, container: name)
    }
    return ValidationReport(opaque: validation.opaque)
  }
}

/// What a container can tell of its registrations when there is nothing wrong with them.
public struct ValidationReport: Sendable {
  /// Registrations whose factories take nobody knows what, in order: closures without `dependsOn(_:)`.
  public let opaque: [RegistrationInfo]
}
