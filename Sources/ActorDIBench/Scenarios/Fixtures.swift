import ActorDI

extension ServiceKey where Service == any Greeter {
  /// The typed token of the keyed scenario, written as the documentation of `ServiceKey` says.
  static var replica: Self { .init("token") }
}

/// The registries that several scenarios start from.
enum Fixtures {
  /// Registered beside what is measured, so that no registry holds one thing alone.
  static let bystanders = 16
  static let stringKey = "replica"

  /// A container whose greeters, unkeyed and keyed, are singletons that have been built, together
  /// with transient objects, graphs and chains by factory closure.
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

  /// A container that has built nothing yet, and counts its builds of the greeter.
  static func coldContainer(_ builds: BuildCounter) -> Container {
    Container {
      Registration((any Greeter).self, scope: .singleton) { _ in builds.build() }
    }
  }

  /// The dictionary by hand with the same contents as ``warmContainer()``.
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

  /// A dictionary without a lock that has a greeter, an object with no dependencies, and others.
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
