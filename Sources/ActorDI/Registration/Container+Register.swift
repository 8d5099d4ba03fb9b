extension Container {
  /// Registers a batch of registrations: all of them or, if one is refused, none.
  ///
  /// A registration replaces an earlier one of the same identity (type, arguments, key), unless
  /// ``Container/Configuration/duplicates`` forbids it. Resolves no longer return the replaced registration's kept instance. A
  /// registration also hides the aliases of its identity, by ``Registration/implements(_:_:)-(Other.Type,_)``, until it is removed.
  /// Only an ``Registration/alternative()`` joins the existing registrations of its identity.
  ///
  /// - Parameter registrations: See ``RegistrationBuilder``.
  /// - Throws: ``ResolutionError`` for a faulty or duplicate registration, or if the registry is frozen or closed. An error of a
  ///   module's ``Module/didLoad(_:)`` is thrown with the batch registered.
  /// - Complexity: Amortised O(*k*) for *k* registrations, and one copy of the snapshot's directory.
  /// - Concurrency: Isolated to the container. Readers on all threads see the whole batch or none of it.
  // `@Sendable` lets callers on the main actor or another actor pass their own closures.
  public func register(@RegistrationBuilder _ registrations: @Sendable () -> Registrations) async throws {
    var batch = registrations().takeWanted()
    try add(&batch)
    try await runInCall(batch.modules)
  }

  /// Registers a single registration.
  ///
  /// - Parameter registration: The registration to add.
  /// - Throws: ``ResolutionError`` if the registration is faulty or a duplicate, or if the registry is frozen or closed.
  public func register<Service>(_ registration: consuming Registration<Service>) throws {
    guard registration.binding.isWanted else { return }
    var batch = Registrations.Batch(bindings: [registration.takeBinding()], decorators: [], modules: [])
    try add(&batch)
  }
}
