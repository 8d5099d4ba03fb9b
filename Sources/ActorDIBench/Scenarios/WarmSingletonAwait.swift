import ActorDI

/// P2 and P17: an existing singleton, with `await`.
struct WarmSingletonAwait: Scenario {
  static let name = "warm-singleton-await"
  static let summary = "existing singleton of the asked container or of another one, await, any Greeter"

  let lanes = Lanes.tasks([64])

  func contenders() async throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    let dictionary = Fixtures.warmDictionary()
    let registry = DictionaryActor()
    await registry.register((any Greeter).self, instance: PoliteGreeter())
    return [
      Floors.staticLetFromTasks,
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: { dictionary.resolve((any Greeter).self).answer(Answers.question) },
        work: .tasks { count in
          repeating(count) { consume(dictionary.resolve((any Greeter).self)) }
        }),
      Contender(
        name: ContenderName.actor, role: .baseline,
        answer: { await registry.resolve((any Greeter).self).answer(Answers.question) },
        work: .tasks { count in
          for _ in 0..<count { consume(await registry.resolve((any Greeter).self)) }
        }),
    ]
      + Place.allCases.map { place in
        .tasks(
          at: place, of: container,
          answer: { try await $0.resolve((any Greeter).self).answer(Answers.question) },
          { container, count in
            for _ in 0..<count { consume(try await container.resolve((any Greeter).self)) }
          })
      }
  }
}
