// Decorators of one registration.
extension Registration {
  /// Decorates the service: each resolve of this registration returns the decorator's result.
  ///
  /// ```swift
  /// Registration(autowired: (any Store).self, scope: .singleton, initializer: DiskStore.init)
  ///   .decorated { r, inner in CachedStore(inner, cache: try r.resolve()) }
  /// ```
  ///
  /// The factory makes the inner instance and the hooks run on it; the container disposes of it as without the decorator. The
  /// container keeps the decorated instance in the registration's scope. Aliases show the decorated instance. Several decorators
  /// apply in order, the last one outermost. Those of the container, by a ``Decorator`` or ``Container/decorate(_:with:)-1paa4``, wrap
  /// the result.
  ///
  /// - Parameter decorator: Receives a resolver and the undecorated service, and returns the decorated one. An error that it
  ///   throws fails the resolve.
  /// - Returns: The changed copy.
  public consuming func decorated(
    _ decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) -> Self {
    decorated(by: Decorator(Service.self, with: decorator))
  }

  private consuming func decorated(by decorator: Decorator) -> Self {
    describing { $0.options.making.decorators.append(decorator) }
  }
}

extension Registration where Service: Sendable {
  /// Decorates the service asynchronously: only asynchronous callers can have it built.
  ///
  /// - Parameter decorator: Receives a resolver and the undecorated service, and returns the decorated one. An error that it
  ///   throws fails the resolve.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func decorated(
    _ decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) -> Self {
    decorated(by: Decorator(Service.self, with: decorator))
  }

  /// Decorates the service on the main actor: asynchronous callers can have it built anywhere, synchronous callers only on the main
  /// thread.
  ///
  /// - Parameters:
  ///   - isolation: The main actor. The default selects this form.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one. An error that it
  ///     throws fails the resolve.
  /// - Returns: The changed copy.
  public consuming func decorated(
    isolation: MainActor.Type = MainActor.self,
    _ decorator: @escaping @MainActor @Sendable (Resolver, Service) throws -> Service
  ) -> Self {
    decorated(by: Decorator(Service.self, with: decorator))
  }
}
