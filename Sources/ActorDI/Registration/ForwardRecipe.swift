/// Another type that a service is found under, with the upcast that the compiler has checked.
struct ForwardRecipe<Service>: Sendable {
  let bind: @Sendable (_ primary: ServiceBinding<Service>, _ container: Container) -> ForwardList.Forward

  init<Other>(
    _ type: Other.Type, key: Key?, _ convert: @escaping @Sendable (Service) -> Other
  ) {
    bind = { primary, container in
      let binding = primary.forward(to: type, key: key, convert)
      binding.settle(in: container, order: container.registry.takeOrder())
      binding.extras.show(primary)
      return ForwardList.Forward(binding: binding) { box in
        Box(convert(unsafe unsafeDowncast(box, to: Box<Service>.self).value))
      }
    }
  }
}

extension ServiceBinding {
  /// The instance, for a forward.
  func current(_ resolver: Resolver) throws -> Service { try current(resolver, recipe) }

  /// Asks the binding, or what takes its place where overrides are in force, for a forward.
  func inForce(
    _ resolver: Resolver, _ body: (ServiceBinding<Service>, Resolver) throws -> Service
  ) throws -> Service {
    let stand = standIn(asking: resolver.container)
    defer { withExtendedLifetime(stand) {} }
    return try body(stand.map { Self.typed($0.binding) } ?? self, resolver)
  }

  func inForce(
    _ resolver: Resolver, _ body: (ServiceBinding<Service>, Resolver) async throws -> Service
  ) async throws -> Service {
    let stand = standIn(asking: resolver.container)
    defer { withExtendedLifetime(stand) {} }
    return try await body(stand.map { Self.typed($0.binding) } ?? self, resolver)
  }

  func current(_ resolver: Resolver) async throws -> Service {
    try await current(resolver, recipe)
  }

  func current(_ resolver: Resolver, _ recipe: Recipe<Service>) throws -> Service {
    guard let service = try instance(recipe, for: resolver) else { throw PrimaryIsGone() }
    return service
  }

  func current(_ resolver: Resolver, _ recipe: Recipe<Service>) async throws -> Service {
    guard let service = try await instance(recipe, for: resolver) else { throw PrimaryIsGone() }
    return service
  }
}

/// Thrown by a forward whose primary was removed after the forward had been found: it is looked up again.
struct PrimaryIsGone: Error {}
