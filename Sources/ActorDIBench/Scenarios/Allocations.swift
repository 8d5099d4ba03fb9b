import ActorDI

/// P8: heap allocations. A warm resolve has none, and a transient resolve only its factory's.
struct Allocations: Scenario {
  static let name = "allocations"
  static let summary = "heap allocations of one resolve"

  static let plainLeaf = "plain construction, one object"
  static let plainGraph = "plain construction, graph of 10"
  static let plainChain = "plain construction, chain of 10"
  static let sync = "warm singleton, sync"
  static let await = "warm singleton, await"
  static let token = "warm singleton, token"
  static let stringKey = "warm singleton, string key"
  static let enumKey = "warm singleton, enum key"
  static let borrowed = "warm singleton, withResolved"
  static let leaf = "transient, one object"
  static let autowiredGraph = "graph of 10, autowired"
  static let factoryGraph = "graph of 10, factory closure"
  static let autowiredChain = "chain of 10, autowired"
  static let factoryChain = "chain of 10, factory closure"
  static let withScope = "withScope, one scoped object and its disposal"
  static let plainRequest = "plain construction, a request's objects"
  static let request = "request with its scope and disposal"

  let unit = MeasuredUnit.allocations
  let lanes = Lanes.single
  let fixedIterations: Int? = 10_000
  /// Each contender answers 1 if its service gave the right answer.
  let expectedAnswer = 1

  var obstacle: String? { AllocationCount.obstacle }

  func contenders() throws -> [Contender] {
    try Self.plain() + Self.warm() + Self.transient() + [Self.scope()] + Self.requests()
  }

  private static func plain() -> [Contender] {
    [
      counted(
        plainLeaf, .floor,
        is: { Floors.leaf().weight == Answers.leaf },
        { count in repeating(count) { consume(Floors.leaf()) } }),
      counted(
        plainGraph, .floor,
        is: { Floors.graph().weight == Answers.objects },
        { count in repeating(count) { consume(Floors.graph()) } }),
      counted(
        plainChain, .floor,
        is: { Floors.chain().weight == Answers.objects },
        { count in repeating(count) { consume(Floors.chain()) } }),
    ]
  }

  private static func warm() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let isGreeter: @Sendable () throws -> Bool = {
      try container.resolve((any Greeter).self).answer(Answers.question) == Answers.greeter
    }
    return [
      counted(sync, .container, is: isGreeter) { count in
        try repeating(count) { consume(try container.resolve((any Greeter).self)) }
      },
      Contender(
        name: Self.await, role: .container,
        answer: { try isGreeter() ? 1 : 0 },
        work: .own { load in
          try await AllocationCount.ofProcess(operations: load.iterations) { count in
            for _ in 0..<count { consume(try await container.resolve((any Greeter).self)) }
          }
        }),
      counted(token, .container, is: isGreeter) { count in
        try repeating(count) { consume(try container.resolve(.replica)) }
      },
      counted(stringKey, .container, is: isGreeter) { count in
        try repeating(count) { consume(try container.resolve((any Greeter).self, key: "replica")) }
      },
      counted(enumKey, .container, is: isGreeter) { count in
        try repeating(count) {
          consume(try container.resolve((any Greeter).self, key: Channel.replica))
        }
      },
      counted(borrowed, .container, is: isGreeter) { count in
        try repeating(count) { try container.withResolved((any Greeter).self) { consume($0) } }
      },
    ]
  }

  private static func transient() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let graphs = [(autowiredGraph, Graph.autowired()), (factoryGraph, Graph.factories())]
    let chains = [(autowiredChain, Chain.autowired()), (factoryChain, Chain.factories())]
    let one = counted(
      leaf, .container,
      is: { try container.resolve(Leaf.self).weight == Answers.leaf },
      { count in try repeating(count) { consume(try container.resolve(Leaf.self)) } })
    return [one]
      + graphs.map { name, container in
        counted(
          name, .container,
          is: { try container.resolve(GraphRoot.self).weight == Answers.objects },
          { count in try repeating(count) { consume(try container.resolve(GraphRoot.self)) } })
      }
      + chains.map { name, container in
        counted(
          name, .container,
          is: { try container.resolve(Link9.self).weight == Answers.objects },
          { count in try repeating(count) { consume(try container.resolve(Link9.self)) } })
      }
  }

  private static func scope() -> Contender {
    let container = Scopes.container()
    return Contender(
      name: withScope, role: .container,
      answer: {
        try await container.withScope { scope in
          try await scope.resolve(Leaf.self).weight == Answers.leaf ? 1 : 0
        }
      },
      work: .own { load in
        try await AllocationCount.ofProcess(operations: load.iterations) { count in
          for _ in 0..<count {
            try await container.withScope { scope in consume(try await scope.resolve(Leaf.self)) }
          }
        }
      })
  }

  private static func requests() throws -> [Contender] {
    let app = try Requests.container()
    let singletons = try Requests.Singletons(of: app)
    return [
      counted(
        plainRequest, .floor, is: { Requests.byHand(singletons) == Request.answer },
        { count in repeating(count) { _ = opaque(Requests.byHand(singletons)) } }),
      Contender(
        name: request, role: .container,
        answer: { try await Requests.handle(in: app) == Request.answer ? 1 : 0 },
        work: .own { load in
          try await AllocationCount.ofProcess(operations: load.iterations) { count in
            for _ in 0..<count { _ = opaque(try await Requests.handle(in: app)) }
          }
        }),
    ]
  }

  /// A contender whose synchronous operations are counted on one thread.
  private static func counted(
    _ name: String, _ role: Contender.Role, is right: @escaping @Sendable () throws -> Bool,
    _ body: @escaping @Sendable (Int) throws -> Void
  ) -> Contender {
    Contender(
      name: name, role: role,
      answer: { try right() ? 1 : 0 },
      work: .own { load in
        try AllocationCount.ofThread(operations: load.iterations, body)
      })
  }
}
