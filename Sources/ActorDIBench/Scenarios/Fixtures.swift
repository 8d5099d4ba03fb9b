import ActorDI

extension ServiceKey where Service == any Greeter {
  /// The typed token of the keyed scenario, written as in the documentation of `ServiceKey`.
  static var replica: Self { .init("token") }
}

/// The registries that several scenarios start from.
enum Fixtures {
  /// The number of additional registrations, so that no registry contains a single service.
  static let bystanders = 16
  static let stringKey = "replica"

  /// A container with built singleton greeters, unkeyed and keyed, and with a transient object.
  static func warmContainer() throws -> Container {
    let container = Container {
      Registration((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }
      Registration((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }
        .key(Fixtures.stringKey)
      Registration((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }
        .key(Channel.replica)
      Registration(.replica) { _ in PoliteGreeter() as any Greeter }.scope(.singleton)
      Registration(Leaf.self) { _ in Leaf() }
      for number in 0..<Fixtures.bystanders {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    }
    _ = try container.resolve((any Greeter).self)
    _ = try container.resolve((any Greeter).self, key: stringKey)
    _ = try container.resolve((any Greeter).self, key: Channel.replica)
    _ = try container.resolve(.replica)
    return container
  }

  /// A hand-written dictionary with the same content as ``warmContainer()``.
  static func warmDictionary() -> LockedDictionary {
    let dictionary = LockedDictionary()
    dictionary.register((any Greeter).self, instance: PoliteGreeter())
    dictionary.register((any Greeter).self, key: stringKey, instance: PoliteGreeter())
    dictionary.register(Leaf.self) { _ in Leaf() }
    dictionary.register(Bystander.self, instance: Bystander())
    for number in 0..<bystanders {
      dictionary.register(Bystander.self, key: "\(number)", instance: Bystander())
    }
    return dictionary
  }

  /// A dictionary without a lock, with a greeter, an object without dependencies, and some others.
  static func plainDictionary() -> PlainDictionary {
    let dictionary = PlainDictionary()
    let greeter: any Greeter = PoliteGreeter()
    dictionary.register((any Greeter).self) { _ in greeter }
    dictionary.register(Leaf.self) { _ in Leaf() }
    dictionary.register(LeafA.self) { _ in LeafA() }
    dictionary.register(LeafB.self) { _ in LeafB() }
    dictionary.register(LeafC.self) { _ in LeafC() }
    return dictionary
  }
}
