// A factory closure in a synchronous and an asynchronous form.
extension Registration {
  /// Adds the asynchronous form of a synchronous factory, for dependencies that are built asynchronously.
  ///
  /// A synchronous factory cannot wait for an asynchronous one: its resolve throws ``ResolutionError/Code/asyncRequired``. With both
  /// forms the service is as synchronous as its dependencies, as if its initialiser were autowired. Declare the dependencies, so that
  /// the container knows which form to use:
  ///
  /// ```swift
  /// Registration(Greeting.self) { r in Greeting(time: try r.resolve()) }
  ///   .suspending { r in Greeting(time: try await r.resolve()) }
  ///   .dependsOn((any TimeSource).self)
  /// ```
  ///
  /// - Parameter factory: Creates the same instance as the synchronous factory, from the same run-time arguments.
  /// - Returns: The changed copy. Registering it throws ``ResolutionError/Code/invalidRegistration`` unless its factory is a
  ///   synchronous closure with these arguments, and has no asynchronous form yet.
  @_alwaysEmitIntoClient
  public consuming func suspending<each Argument: Sendable>(
    _ factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service
  ) -> Self {
    let arguments = Arguments.type(of: repeat (each Argument).self)
    return suspending(by: Recipe.makeAsync(by: factory), taking: arguments)
  }

  @usableFromInline
  consuming func suspending(by makeAsync: @escaping Recipe.MakeAsync, taking arguments: Arguments.Type?) -> Self {
    if let binding = binding.suspending(makeAsync, taking: arguments) { return Registration(binding) }
    return describing {
      $0.noteFault("Only a synchronous factory closure has an asynchronous form: one, which takes the same arguments.")
    }
  }
}

extension Binding {
  /// A copy of the binding with a second factory for callers that can suspend.
  ///
  /// - Returns: Nil if the binding has no synchronous factory closure with these arguments.
  fileprivate func suspending(_ makeAsync: Recipe.MakeAsync?, taking arguments: Arguments.Type?) -> Binding? {
    var descriptor = self.descriptor
    guard identity.takes(arguments), descriptor.adaptToDependencies() else { return nil }
    return Binding(descriptor, Recipe(descriptor.factorySynchrony, factory, makeAsync: makeAsync))
  }
}
