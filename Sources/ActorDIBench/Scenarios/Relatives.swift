import ActorDI

/// Containers that find a built greeter in another container: the subjects of P17.
///
/// Each has registrations of its own, like the containers of an application. All have resolved the greeter before, because a container
/// may cache something on the first resolve.
struct Relatives: Sendable {
  /// The container that owns the greeter.
  let app: Container
  let child: Container
  let grandchild: Container
  /// A container linked to ``app``.
  let linked: Container
  /// A container linked to ``child``.
  let linkedToChild: Container

  init() throws {
    app = try Fixtures.warmContainer()
    child = Self.child(of: app)
    grandchild = Self.child(of: child)
    linked = Self.bystander()
    linkedToChild = Self.bystander()
    _ = linked.link(app)
    _ = linkedToChild.link(child)
    for (_, container) in all {
      for _ in 0..<2 { _ = try container.resolve((any Greeter).self) }
    }
  }

  /// The containers that find the greeter in another one, by the names of their contenders.
  var all: [(name: String, container: Container)] {
    [
      (ContenderName.child, child), (ContenderName.grandchild, grandchild), (ContenderName.link, linked),
      (ContenderName.linkParent, linkedToChild),
    ]
  }

  /// A container with registrations of its own.
  static func bystander() -> Container { Container { bystanders } }

  /// A child with registrations of its own.
  static func child(of parent: Container) -> Container { parent.makeChild { bystanders } }

  /// Runs an operation in a scope with a registration of its own, like a request's scope, which stays open during the operation.
  static func withRequestScope<Result>(
    of parent: Container, _ operation: nonisolated(nonsending) (Container) async throws -> Result
  ) async throws -> Result {
    try await parent.withScope("request") {
      Registration(instance: Request())
    } operation: { scope in
      try await operation(scope)
    }
  }

  @RegistrationBuilder
  private static var bystanders: Registrations {
    for number in 0..<Fixtures.bystanders {
      Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
    }
  }
}
