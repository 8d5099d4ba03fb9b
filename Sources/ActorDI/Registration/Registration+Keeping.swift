// How kept instances are told apart.

extension Registration where Service: Sendable {
  /// Keeps one instance for each tuple of argument values, rather than the first one for all.
  ///
  /// ```swift
  /// Registration(Avatar.self, scope: .shared) { (r, user: User.ID) in
  ///   try await Avatar(of: user, from: r.resolve())
  /// }
  /// .perArguments()
  /// ```
  ///
  /// All arguments have to be Hashable, which is checked when the service is registered. Their `hash` and `==` are called by each
  /// resolve. A tuple that is not equal to itself, as one with a NaN in it, gets a new instance each time.
  ///
  /// A ``Scope/singleton`` keeps what it has for every tuple it was ever resolved with, until it is reset: where they are many,
  /// use ``Scope/shared``. A ``Scope/transient`` keeps nothing, and is not affected.
  ///
  /// - Returns: the changed copy. Registering it throws ``ResolutionError/Code/argumentMismatch`` if it takes no run-time
  ///   arguments, or some that are not Hashable.
  public func perArguments() -> Self {
    with { $0.keeping.isPerArguments = true }
  }
}

/// What a registration says of its kept instances, beside the scope.
struct Keeping: Sendable {
  /// Whether each tuple of run-time arguments has an instance of its own.
  var isPerArguments = false

  init() {}

  /// What satisfies several registrations that stand for one service.
  init(merging parts: [Keeping]) {
    isPerArguments = parts.contains(where: \.isPerArguments)
  }

  /// Why a service cannot be kept like this; nil when it can.
  func fault(of identity: ServiceIdentity, in scope: Scope) -> ResolutionError? {
    if isPerArguments {
      if identity.arguments.isEmpty {
        return ResolutionError(
          .argumentMismatch, for: identity, path: [identity],
          note: "Its factory takes no run-time arguments: remove perArguments().")
      }
      let others = identity.arguments.filter { !($0 is any Hashable.Type) }
      if !others.isEmpty {
        let list = others.map { TypeName.short($0) }.joined(separator: ", ")
        return ResolutionError(
          .argumentMismatch, for: identity, path: [identity],
          note: "Not Hashable: \(list). Make it so, or remove perArguments().")
      }
    }
    return nil
  }
}
