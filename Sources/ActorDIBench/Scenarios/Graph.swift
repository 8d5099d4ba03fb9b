import ActorDI

/// P5: ten new objects for each resolve, in a tree of three levels, registered in the asked container or in its parent.
struct Graph: Scenario {
  static let name = "graph"
  static let summary = "graph of ten new objects, sync"

  let expectedAnswer = Answers.objects

  func contenders() throws -> [Contender] {
    let dictionary = Self.dictionary()
    let autowired = Self.autowired()
    let factories = Self.factories()
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Floors.graph().weight },
        work: .threads { count in
          repeating(count) { consume(Floors.graph()) }
        }),
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: { dictionary.make(GraphRoot.self).weight },
        work: .threads { count in
          repeating(count) { consume(dictionary.make(GraphRoot.self)) }
        }),
      .plainDictionary(
        Self.plainDictionary, answer: { $0.resolve(GraphRoot.self).weight },
        { dictionary, count in repeating(count) { consume(dictionary.resolve(GraphRoot.self)) } }),
    ]
      + [Place.owner, .child].flatMap { place in
        [(ContenderName.byAutowiring, autowired), (ContenderName.byFactory, factories)].map { kind, container in
          .threads(
            place.contender + kind, at: place, of: container, answer: { try await $0.resolve(GraphRoot.self).weight },
            { container, count in try repeating(count) { consume(try container.resolve(GraphRoot.self)) } })
        }
      }
  }

  static func autowired() -> Container {
    Container {
      Registration(autowired: LeafA.self, initializer: LeafA.init)
      Registration(autowired: LeafB.self, initializer: LeafB.init)
      Registration(autowired: LeafC.self, initializer: LeafC.init)
      Registration(autowired: LeafD.self, initializer: LeafD.init)
      Registration(autowired: LeafE.self, initializer: LeafE.init)
      Registration(autowired: LeafF.self, initializer: LeafF.init)
      Registration(autowired: BranchA.self, initializer: BranchA.init)
      Registration(autowired: BranchB.self, initializer: BranchB.init)
      Registration(autowired: BranchC.self, initializer: BranchC.init)
      Registration(autowired: GraphRoot.self, initializer: GraphRoot.init)
    }
  }

  static func factories() -> Container {
    Container {
      Registration(LeafA.self) { _ in LeafA() }
      Registration(LeafB.self) { _ in LeafB() }
      Registration(LeafC.self) { _ in LeafC() }
      Registration(LeafD.self) { _ in LeafD() }
      Registration(LeafE.self) { _ in LeafE() }
      Registration(LeafF.self) { _ in LeafF() }
      Registration(BranchA.self) { r in BranchA(left: try r.resolve(), right: try r.resolve()) }
      Registration(BranchB.self) { r in BranchB(left: try r.resolve(), right: try r.resolve()) }
      Registration(BranchC.self) { r in BranchC(left: try r.resolve(), right: try r.resolve()) }
      Registration(GraphRoot.self) { r in
        GraphRoot(first: try r.resolve(), second: try r.resolve(), third: try r.resolve())
      }
    }
  }

  private static func dictionary() -> LockedDictionary {
    let dictionary = LockedDictionary()
    dictionary.register(LeafA.self) { _ in LeafA() }
    dictionary.register(LeafB.self) { _ in LeafB() }
    dictionary.register(LeafC.self) { _ in LeafC() }
    dictionary.register(LeafD.self) { _ in LeafD() }
    dictionary.register(LeafE.self) { _ in LeafE() }
    dictionary.register(LeafF.self) { _ in LeafF() }
    dictionary.register(BranchA.self) { BranchA(left: $0.make(), right: $0.make()) }
    dictionary.register(BranchB.self) { BranchB(left: $0.make(), right: $0.make()) }
    dictionary.register(BranchC.self) { BranchC(left: $0.make(), right: $0.make()) }
    dictionary.register(GraphRoot.self) {
      GraphRoot(first: $0.make(), second: $0.make(), third: $0.make())
    }
    return dictionary
  }

  private static func plainDictionary() -> PlainDictionary {
    let dictionary = PlainDictionary()
    dictionary.register(LeafA.self) { _ in LeafA() }
    dictionary.register(LeafB.self) { _ in LeafB() }
    dictionary.register(LeafC.self) { _ in LeafC() }
    dictionary.register(LeafD.self) { _ in LeafD() }
    dictionary.register(LeafE.self) { _ in LeafE() }
    dictionary.register(LeafF.self) { _ in LeafF() }
    dictionary.register(BranchA.self) { BranchA(left: $0.resolve(), right: $0.resolve()) }
    dictionary.register(BranchB.self) { BranchB(left: $0.resolve(), right: $0.resolve()) }
    dictionary.register(BranchC.self) { BranchC(left: $0.resolve(), right: $0.resolve()) }
    dictionary.register(GraphRoot.self) {
      GraphRoot(first: $0.resolve(), second: $0.resolve(), third: $0.resolve())
    }
    return dictionary
  }
}
