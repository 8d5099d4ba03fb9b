import ActorDI

/// P4 and P18: a new object for each resolve, with and without static knowledge of the service's type.
struct Transient: Scenario {
  static let name = "transient"
  static let summary = "transient, sync factory, one object"

  static let generic = "container, unspecialised generic code"
  static let provider = "container, provider"
  static let argument = "container, with an argument"

  let expectedAnswer = Answers.leaf

  func contenders() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let provider = container.provider(for: Leaf.self)
    let parameterised = Container { Registration(Leaf.self) { (_, _: Int) in Leaf() } }
    let dictionary = Fixtures.warmDictionary()
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Floors.leaf().weight },
        work: .threads { count in
          repeating(count) { consume(Floors.leaf()) }
        }),
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: { dictionary.make(Leaf.self).weight },
        work: .threads { count in
          repeating(count) { consume(dictionary.make(Leaf.self)) }
        }),
      .plainDictionary(
        Fixtures.plainDictionary, answer: { $0.resolve(Leaf.self).weight },
        { dictionary, count in repeating(count) { consume(dictionary.resolve(Leaf.self)) } }),
      Contender(
        name: ContenderName.container, role: .container,
        answer: { try await container.resolve(Leaf.self).weight },
        work: .threads { count in
          try repeating(count) { consume(try container.resolve(Leaf.self)) }
        }),
      Contender(
        name: Self.generic, role: .container,
        answer: { try Self.resolve(Leaf.self, in: container).weight },
        work: .threads { count in
          try repeating(count) { consume(try Self.resolve(Leaf.self, in: container)) }
        }),
      Contender(
        name: Self.provider, role: .container,
        answer: { try provider().weight },
        work: .threads { count in
          try repeating(count) { consume(try provider.callAsFunction()) }
        }),
      Contender(
        name: Self.argument, role: .container,
        answer: { try await parameterised.resolve(Leaf.self, arguments: 1).weight },
        work: .threads { count in
          try repeating(count) { consume(try parameterised.resolve(Leaf.self, arguments: 1)) }
        }),
    ]
  }

  /// Generic code that is compiled once for all services, as across a module boundary.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func resolve<Service: Sendable>(_ type: Service.Type, in container: Container) throws -> Service {
    try container.resolve(type)
  }
}
