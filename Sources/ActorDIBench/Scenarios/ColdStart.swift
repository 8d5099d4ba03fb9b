import ActorDI

/// P16: the start of a program, which creates a container with a thousand registrations and resolves a first service.
struct ColdStart: Scenario {
  static let name = "cold-start"
  static let summary = "creating a container with 1,000 singletons, and its first resolve"

  static let count = 1_000
  static let keys = "container, by key"
  static let types = "container, by type"

  let unit = MeasuredUnit.round
  let lanes = Lanes.single

  func contenders() -> [Contender] {
    [
      Self.contender(ContenderName.mutex, .floor) {
        let registry = LockedRegistry()
        for number in 0..<Self.count { registry.register(Bystander.self, key: number) { Bystander() } }
        registry.register((any Greeter).self) { PoliteGreeter() }
        return (registry, registry.resolve((any Greeter).self))
      },
      Self.contender(Self.keys, .container) { try Self.container(.key) },
      Self.contender(Self.types, .container) { try Self.container(.type) },
    ]
  }

  private static func container(_ distinction: ManyServices.Distinction) throws -> (any Sendable, any Greeter) {
    let container = Container {
      ManyServices.registrations(count, distinction)
      Registration((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }
    }
    return (container, try container.resolve((any Greeter).self))
  }

  /// Creates a contender.
  ///
  /// - Parameter run: Creates a registry and resolves a greeter from it.
  private static func contender(
    _ name: String, _ role: Contender.Role,
    _ run: @escaping @Sendable () throws -> (any Sendable, any Greeter)
  ) -> Contender {
    Contender(
      name: name, role: role, answer: { try run().1.answer(Answers.question) },
      work: .own { load in
        var time: UInt64 = 0
        for _ in 0..<load.iterations {
          let beginning = Clock.now()
          let (registry, greeter) = try run()
          consume(greeter)
          time += Clock.now() &- beginning
          withExtendedLifetime(registry) {}
        }
        return Sample(total: Double(time), operations: load.iterations)
      })
  }
}
