import ActorDI
import Synchronization

/// P16: as ``NewType``, of a type that the process has not seen, for which the Swift runtime has to make its tables of the generic types
/// around it, once. It is called through a protocol's metatype, by all contenders.
///
/// A container has to ask the runtime whether instances of such a type have a part in their own life, as `Disposable` ones do: nothing
/// else tells. For the answer that they do not, the runtime looks at every conformance in the program. That is a floor of its own: one such
/// question, and the tables of one generic class, by which an instance is held where its type is known. (They are a fifth of the floor. This
/// container makes none, and holds instances in a box of its own.)
struct NewTypeInProcess: Scenario {
  static let name = "type-new-to-process"
  static let summary = "one singleton registered, and its first resolve, of a type new to the process"

  static let runtime = "Swift runtime"

  let unit = MeasuredUnit.round
  let lanes = Lanes.single
  /// Each takes a type that was never used, so their number is limited by memory.
  let fixedIterations: Int? = 256
  let expectedAnswer = 1

  func contenders() -> [Contender] {
    let firstUse = FirstUse(scenario: Self.name)
    return [
      firstUse.contender(ContenderName.mutex, .floor) { isTrial in
        let registry = FirstUse.locked()
        let type = Self.nextType(isTrial)
        return { Self.firstResolve(of: type, in: registry) }
      },
      firstUse.contender(Self.runtime, .floor) { isTrial in
        let type = Self.nextType(isTrial)
        return { Self.learn(of: type) }
      },
      firstUse.contender(ContenderName.container, .container) { isTrial in
        let container = FirstUse.container()
        let type = Self.nextType(isTrial)
        return { try await Self.firstResolve(of: type, in: container) }
      },
    ]
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
}

/// A protocol that nearly no type conforms to.
private protocol Rare {}
private struct RareOne: Rare {}

private final class Holder<Service> {
  let service: Service
  init(_ service: Service) { self.service = service }
}
