import ActorDI
import Synchronization

/// P16: like ``NewType``, with a type that is new to the process. The Swift runtime creates metadata for the generic types around it,
/// once. All contenders call it through a protocol's metatype.
///
/// A container must ask the runtime whether the type conforms to protocols such as `Disposable`; there is no other way to find out. For
/// a negative answer, the runtime examines every conformance in the program. That is a separate floor: one such query, and the metadata
/// of one generic class that holds an instance of a known type. The metadata is a fifth of the floor; this container needs none,
/// because it holds instances in a box of its own.
struct NewTypeInProcess: Scenario {
  static let name = "type-new-to-process"
  static let summary = "registering one singleton, and its first resolve, of a type new to the process"

  static let runtime = "Swift runtime"

  let unit = MeasuredUnit.round
  let lanes = Lanes.single
  /// Each operation uses up a new type, so memory limits their number.
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

  /// The type for the next operation.
  ///
  /// - Parameter isTrial: Whether a type that has been used before is sufficient.
  private static func nextType(_ isTrial: Bool) -> any Numbered.Type {
    if isTrial { return ManyServices.types.prefix(1)[0] }
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
