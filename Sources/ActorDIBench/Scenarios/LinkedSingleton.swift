import ActorDI

/// P17: a warm singleton that is found through the link of a parent, a link of a link, or a circle of links.
struct LinkedSingleton: Scenario {
  static let name = "linked-singleton"
  static let summary = "warm singleton through several links, sync, any Greeter"

  func contenders() throws -> [Contender] {
    let (parent, one, other) = (Relatives.bystander(), Relatives.bystander(), Relatives.bystander())
    let child = Relatives.child(of: try Fixtures.warmContainer())
    return [Floors.staticLet]
      + [
        contender(
          ContenderName.linkOfParent,
          try Linked([Relatives.child(of: parent), parent, Fixtures.warmContainer()], [(1, 2)])),
        contender(ContenderName.linkOfLink, try Linked([one, other, Fixtures.warmContainer()], [(0, 1), (1, 2)])),
        // In the parent of the linked container.
        contender(ContenderName.circle, Linked([Relatives.bystander(), child], [(0, 1), (1, 0)])),
        contender(
          ContenderName.circleOfThree,
          try Linked(
            [Relatives.bystander(), Relatives.bystander(), Fixtures.warmContainer()], [(0, 1), (1, 2), (2, 0)])),
      ]
  }

  private func contender(_ name: String, _ linked: Linked) -> Contender {
    Contender(
      name: name, role: .container,
      answer: { try await linked.asked.resolve((any Greeter).self).answer(Answers.question) },
      work: .threads { count in
        let container = linked.asked
        try repeating(count) { consume(try container.resolve((any Greeter).self)) }
      })
  }
}

/// Linked containers, of which the first one is asked. Containers in a circle keep each other alive, so this cancels the links at its end.
private final class Linked: Sendable {
  let asked: Container
  private let containers: [Container]
  private let links: [Container.Link]

  init(_ containers: [Container], _ links: [(from: Int, to: Int)]) {
    asked = containers[0]
    self.containers = containers
    self.links = links.map { containers[$0.from].link(containers[$0.to]) }
  }

  deinit { for link in links { link.cancel() } }
}
