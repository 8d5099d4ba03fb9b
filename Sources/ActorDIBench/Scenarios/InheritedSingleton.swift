import ActorDI

/// P17: a warm singleton of another container, from synchronous code. The other container is a parent, a grandparent, a linked
/// container, or the parent of a linked container.
struct InheritedSingleton: Scenario {
  static let name = "inherited-singleton"
  static let summary = "warm singleton of a parent or a linked container, sync, any Greeter"

  let mostRepeats = Pace.standard.repeats

  func contenders() throws -> [Contender] {
    let relatives = try Relatives()
    let dictionary = Fixtures.warmDictionary()
    return [
      Floors.staticLet,
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: { dictionary.resolve((any Greeter).self).answer(Answers.question) },
        work: .threads { count in
          repeating(count) { consume(dictionary.resolve((any Greeter).self)) }
        }),
      Contender(
        name: ContenderName.requestScope, role: .container,
        answer: {
          try await Relatives.withRequestScope(of: relatives.app) { scope in
            try await scope.resolve((any Greeter).self).answer(Answers.question)
          }
        },
        work: .own { load in
          try await Relatives.withRequestScope(of: relatives.app) { scope in
            try ThreadTeam.run(load) { count in
              try repeating(count) { consume(try scope.resolve((any Greeter).self)) }
            }
          }
        }),
    ]
      + relatives.all.map { name, container in
        Contender(
          name: name, role: .container,
          answer: { try await container.resolve((any Greeter).self).answer(Answers.question) },
          work: .threads { count in
            try repeating(count) { consume(try container.resolve((any Greeter).self)) }
          })
      }
  }
}
