import ActorDI

/// P17: a warm singleton of another container, with `await`. The other container is a parent, a grandparent, a linked container, or the
/// parent of a linked container.
struct InheritedSingletonAwait: Scenario {
  static let name = "inherited-singleton-await"
  static let summary = "warm singleton of a parent or a linked container, await, any Greeter"

  let lanes = Lanes.tasks([1, 2, 4, 64])
  let mostRepeats = Pace.standard.repeats

  func contenders() throws -> [Contender] {
    let relatives = try Relatives()
    return [
      Floors.staticLetFromTasks,
      Contender(
        name: ContenderName.requestScope, role: .container,
        answer: {
          try await Relatives.withRequestScope(of: relatives.app) { scope in
            try await scope.resolve((any Greeter).self).answer(Answers.question)
          }
        },
        work: .own { load in
          try await Relatives.withRequestScope(of: relatives.app) { scope in
            let time = try await TaskTeam.run(tasks: load.lane) {
              for _ in 0..<load.iterations { consume(try await scope.resolve((any Greeter).self)) }
            }
            return Sample(total: Double(time), operations: load.iterations * load.lane)
          }
        }),
    ]
      + relatives.all.map { name, container in
        Contender(
          name: name, role: .container,
          answer: { try await container.resolve((any Greeter).self).answer(Answers.question) },
          work: .tasks { count in
            for _ in 0..<count { consume(try await container.resolve((any Greeter).self)) }
          })
      }
  }
}
