import ActorDI
import Synchronization

/// P16: one more service in an existing container, registered and then resolved for the first time. Its type is new to the process, so the
/// Swift runtime creates metadata for the generic types around it, once. All contenders call it through a protocol's metatype.
///
/// A container must ask the runtime whether the type conforms to protocols such as `Disposable`; there is no other way to find out. For
/// a negative answer, the runtime examines every conformance in the program. That is a separate floor: one such query, and the metadata
/// of one generic class that holds an instance of a known type. The metadata is a fifth of the floor; this container needs none,
/// because it holds instances in a box of its own.
struct NewType: Scenario {
  static let name = "new-type"
  static let summary = "registering one singleton, and its first resolve, of a type new to the process"

  static let runtime = "Swift runtime"

  let unit = MeasuredUnit.round
  let lanes = Lanes.single
  /// Each operation uses up a new type, so memory limits their number.
  let fixedIterations: Int? = 256
  let expectedAnswer = 1

  private typealias Operation = () async throws -> Int

  func contenders() -> [Contender] {
    [
      Self.contender(ContenderName.mutex, .floor) { type in
        let registry = LockedRegistry()
        for number in 0..<Fixtures.bystanders { registry.register(Bystander.self, key: number) { Bystander() } }
        return { Self.firstResolve(of: type, in: registry) }
      },
      Self.contender(Self.runtime, .floor) { type in { Self.learn(of: type) } },
      Self.contender(ContenderName.container, .container) { type in
        let container = Container {
          for number in 0..<Fixtures.bystanders {
            Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
          }
        }
        return { try await Self.firstResolve(of: type, in: container) }
      },
    ]
  }

  /// Creates a contender. The creation and the end of a registry are not timed.
  ///
  /// - Parameter prepare: Creates a registry, and returns the operation that registers and resolves a service of the type in it.
  private static func contender(
    _ name: String, _ role: Contender.Role, _ prepare: @escaping @Sendable (any Numbered.Type) -> Operation
  ) -> Contender {
    Contender(
      name: name, role: role,
      // A type that has been used before is sufficient.
      answer: { try await prepare(ManyServices.types.prefix(1)[0])() },
      // In a task of its own: on the main actor, each call would change threads.
      work: .own { load in
        try await Task.detached {
          var time: UInt64 = 0
          for _ in 0..<load.iterations {
            let operation = prepare(nextType())
            let beginning = Clock.now()
            let answer = try await operation()
            time += Clock.now() &- beginning
            guard answer == 1 else {
              throw BenchmarkError.wrongAnswer(scenario: Self.name, contender: name, answer: answer, expected: 1)
            }
          }
          return Sample(total: Double(time), operations: load.iterations)
        }.value
      })
  }

  /// The work of the runtime for a new type whose instances are held and whose conformances are queried.
  private static func learn<Service: Numbered>(of type: Service.Type) -> Int {
    type is any Rare.Type ? 0 : Holder(Service()).service.weight
  }

  private static func firstResolve<Service: Numbered>(
    of type: Service.Type, in registry: LockedRegistry
  ) -> Int {
    registry.register(type) { Service() }
    return registry.resolve(type).weight
  }

  private static func firstResolve<Service: Numbered>(
    of type: Service.Type, in container: Container
  ) async throws -> Int {
    try await container.register(type, scope: .singleton) { _ in Service() }
    return try await container.resolve(type).weight
  }

  private static let used = Atomic<Int>(0)

  private static func nextType() -> any Numbered.Type {
    let number = used.add(1, ordering: .relaxed).oldValue
    return ManyServices.unusedTypes.prefix(number + 1)[number]
  }
}

/// A protocol that hardly any type conforms to.
private protocol Rare {}
private struct RareOne: Rare {}

private final class Holder<Service> {
  let service: Service
  init(_ service: Service) { self.service = service }
}
