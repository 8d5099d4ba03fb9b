import ActorDIMacros

protocol Store: Sendable { var name: String { get } }

struct MemoryStore: Store { var name = "memory" }

protocol Weather: Sendable {}

@globalActor actor DatabaseActor { static let shared = DatabaseActor() }

extension ServiceKey where Service == any Store {
  static var replica: Self { .init("replica") }
}

public struct Failure: Error, Equatable {}

/// The services that the types of the tests take.
let services = Registrations {
  Registration((any Store).self, scope: .singleton) { _ in MemoryStore() }
  Registration((any Store).self, scope: .singleton) { _ in MemoryStore(name: "replica") }.key("replica")
  Registration(Int.self) { _ in 7 }
  Registration(Double.self) { _ async in 0.5 }
}
