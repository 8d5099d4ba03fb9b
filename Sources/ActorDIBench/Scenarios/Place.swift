import ActorDI

/// The place of the asked container, relative to the container that owns the requested services.
enum Place: CaseIterable, Sendable {
  case owner
  case child
  case grandchild
  case requestScope
  case link
  case linkOfLink

  /// The name of the contender that asks such a container.
  var contender: String {
    switch self {
    case .owner: ContenderName.container
    case .child: "\(ContenderName.container), child"
    case .grandchild: "\(ContenderName.container), grandchild"
    case .requestScope: "\(ContenderName.container), request scope"
    case .link: "\(ContenderName.container), link"
    case .linkOfLink: "\(ContenderName.container), link of a link"
    }
  }

  /// Runs an operation with a container at this place. Unless it is the owner, it has registrations of its own, like the containers of an
  /// application.
  func withContainer<Result>(
    of owner: Container, _ operation: nonisolated(nonsending) (Container) async throws -> Result
  ) async throws -> Result {
    switch self {
    case .owner:
      return try await operation(owner)
    case .child:
      return try await operation(Self.child(of: owner))
    case .grandchild:
      return try await operation(Self.child(of: Self.child(of: owner)))
    case .requestScope:
      return try await owner.withScope("request") {
        Registration(instance: Request())
      } operation: { scope in
        try await operation(scope)
      }
    case .link:
      return try await operation(Self.linked(to: owner))
    case .linkOfLink:
      return try await operation(Self.linked(to: Self.linked(to: owner)))
    }
  }

  private static func child(of parent: Container) -> Container { parent.makeChild { bystanders } }

  private static func linked(to other: Container) -> Container {
    let container = Container { bystanders }
    _ = container.link(other)
    return container
  }

  @RegistrationBuilder
  private static var bystanders: Registrations {
    for number in 0..<Fixtures.bystanders {
      Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
    }
  }
}

extension Contender {
  /// Creates a contender that resolves on threads, from a container at a place.
  ///
  /// - Parameters:
  ///   - name: The name; by default the place's.
  ///   - answer: Resolves once.
  ///   - body: Resolves the given number of times.
  static func threads(
    _ name: String? = nil, at place: Place, of owner: Container,
    answer: @escaping @Sendable (Container) async throws -> Int,
    _ body: @escaping @Sendable (_ container: Container, _ iterations: Int) throws -> Void
  ) -> Contender {
    Contender(
      name: name ?? place.contender, role: .container,
      answer: { try await place.withContainer(of: owner, answer) },
      work: .own { load in
        try await place.withContainer(of: owner) { container in
          try ThreadTeam.run(load) { count in try body(container, count) }
        }
      })
  }

  /// Creates a contender that resolves in tasks, from a container at a place.
  ///
  /// - Parameters:
  ///   - answer: Resolves once.
  ///   - body: Resolves the given number of times.
  static func tasks(
    at place: Place, of owner: Container,
    answer: @escaping @Sendable (Container) async throws -> Int,
    _ body: @escaping @Sendable (_ container: Container, _ iterations: Int) async throws -> Void
  ) -> Contender {
    Contender(
      name: place.contender, role: .container,
      answer: { try await place.withContainer(of: owner, answer) },
      work: .own { load in
        try await place.withContainer(of: owner) { container in
          let time = try await TaskTeam.run(tasks: load.lane) { try await body(container, load.iterations) }
          return Sample(total: Double(time), operations: load.iterations * load.lane)
        }
      })
  }
}
