import ActorDI
import Synchronization

/// P16: one more service in a container that is there: registered, and resolved for the first time.
///
/// Of a type that only the container has not seen, and of one that the process has not, for which the Swift runtime has to make its
/// tables of the generic types around it, once. The second is called through a protocol's metatype, by all contenders.
///
/// A container of a type that the process has not seen has to ask the runtime whether its instances have a part in their own life, as
/// `Disposable` ones do: nothing else tells. For the answer that they do not, the runtime looks at every conformance in the program. That
/// is a floor of its own: one such question, and the tables of one generic class, by which the instance is held.
struct NewType: Scenario {
  static let name = "new-type"
  static let summary = "one singleton registered, and its first resolve"

  static let known = "container"
  static let unknown = "container, type new to the process"
  static let lockedKnown = "Mutex + dictionary"
  static let lockedUnknown = "Mutex + dictionary, type new to the process"
  static let runtime = "Swift runtime, type new to the process"

  let unit = MeasuredUnit.round
  let lanes = Lanes.single
  /// Each takes a type that was never used, so their number is limited by memory.
  let fixedIterations: Int? = 256
  let expectedAnswer = 1

  func contenders() -> [Contender] {
    [
      contender(Self.lockedKnown, .floor) { _ in
        let registry = LockedRegistry()
        for number in 0..<Fixtures.bystanders { registry.register(Bystander.self, key: number) { Bystander() } }
        return {
          registry.register(Leaf.self) { Leaf() }
          return registry.resolve(Leaf.self).weight
        }
      },
      contender(Self.lockedUnknown, .floor) { isTrial in
        let registry = LockedRegistry()
        for number in 0..<Fixtures.bystanders { registry.register(Bystander.self, key: number) { Bystander() } }
        let type = Self.nextType(isTrial)
        return { Self.firstResolve(of: type, in: registry) }
      },
      contender(Self.runtime, .floor) { isTrial in
        let type = Self.nextType(isTrial)
        return { Self.learn(of: type) }
      },
      contender(Self.known, .container) { _ in
        let container = Self.container()
        return {
          try await container.register(Leaf.self, scope: .singleton) { _ in Leaf() }
          return try await container.resolve(Leaf.self).weight
        }
      },
      contender(Self.unknown, .container) { isTrial in
        let container = Self.container()
        let type = Self.nextType(isTrial)
        return { try await Self.firstResolve(of: type, in: container) }
      },
    ]
  }

  private static func container() -> Container {
    Container {
      for number in 0..<Fixtures.bystanders {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    }
  }

  /// What the runtime has to find out and to make for a type, whoever wants to hold an instance of it, and to know what it conforms to.
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

  /// - Parameter isTrial: whether no new one is needed.
  private static func nextType(_ isTrial: Bool) -> any Numbered.Type {
    if isTrial { return ManyServices.types.prefix(1)[0] }
    let number = used.add(1, ordering: .relaxed).oldValue
    return ManyServices.unusedTypes.prefix(number + 1)[number]
  }

  private typealias Operation = () async throws -> Int

  /// - Parameter prepare: makes a registry, and returns the operation that registers and resolves one service in it.
  private func contender(
    _ name: String, _ role: Contender.Role,
    _ prepare: @escaping @Sendable (_ isTrial: Bool) -> Operation
  ) -> Contender {
    Contender(
      name: name, role: role, answer: { try await prepare(true)() },
      // In a task of its own: on the main actor each call would go from thread to thread.
      work: .own { load in
        try await Task.detached { try await Self.measure(load, name, prepare) }.value
      })
  }

  private static func measure(
    _ load: Load, _ name: String, _ prepare: (_ isTrial: Bool) -> Operation
  ) async throws -> Sample {
    var time: UInt64 = 0
    for _ in 0..<load.iterations {
      let operation = prepare(false)
      let beginning = Clock.now()
      let answer = try await operation()
      time += Clock.now() &- beginning
      guard answer == 1 else {
        throw BenchmarkError.wrongAnswer(
          scenario: Self.name, contender: name, answer: answer, expected: 1)
      }
    }
    return Sample(total: Double(time), operations: load.iterations)
  }
}

/// A protocol that nearly no type conforms to.
private protocol Rare {}
private struct RareOne: Rare {}

private final class Holder<Service> {
  let service: Service
  init(_ service: Service) { self.service = service }
}
