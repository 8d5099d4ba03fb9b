import ActorDI

/// P22: a child of a container with many registrations, created and dropped, and a link from it, added and cancelled.
struct RelativesAmong: Scenario {
  static let name = "relatives-among-others"
  static let summary = "creating and releasing a child, adding and cancelling a link, next to n registrations"

  static let child = "container, child created and released"
  static let usedChild = "container, child created, one resolve, released"
  static let link = "container, link added and cancelled"

  static let counts = Among.counts.filter { $0 <= 10_000 }

  let lanes = Lanes.registrations(RelativesAmong.counts)

  func contenders() throws -> [Contender] {
    let containers = Sized { count in
      let container = Container {
        Registration((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }
        ManyServices.registrations(count, .key)
      }
      _ = try container.resolve((any Greeter).self)
      return container
    }
    let other = try Fixtures.warmContainer()
    return [
      Contender(
        name: ContenderName.staticLet, role: .floor,
        answer: { Floors.greeter().answer(Answers.question) },
        work: .onOneThread { _ in
          { count in repeating(count) { consume(Floors.greeter()) } }
        }),
      Contender(
        name: Self.child, role: .container,
        answer: {
          try containers[10].makeChild().resolve((any Greeter).self).answer(Answers.question)
        },
        work: .onOneThread { lane in
          let container = try containers[lane]
          return { count in repeating(count) { _ = container.makeChild() } }
        }),
      Contender(
        name: Self.usedChild, role: .container,
        answer: {
          try containers[10].makeChild().resolve((any Greeter).self).answer(Answers.question)
        },
        work: .onOneThread { lane in
          let container = try containers[lane]
          return { count in
            try repeating(count) { consume(try container.makeChild().resolve((any Greeter).self)) }
          }
        }),
      Contender(
        name: Self.link, role: .container,
        answer: {
          let container = Container()
          let link = container.link(other)
          let answer = try container.resolve((any Greeter).self).answer(Answers.question)
          link.cancel()
          return container.contains((any Greeter).self) ? 0 : answer
        },
        work: .onOneThread { lane in
          let container = try containers[lane]
          return { count in repeating(count) { container.link(other).cancel() } }
        }),
    ]
  }
}
