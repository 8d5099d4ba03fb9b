import ActorDI

/// P25: all services of a type, as an array and as a dictionary by key.
struct Collections: Scenario {
  static let name = "collections"
  static let summary = "arrays and dictionaries of transient services"

  static let one = "one service"
  static let counts = [2, 8]

  static func array(_ count: Int) -> String { "array of \(count)" }
  static func dictionary(_ count: Int) -> String { "dictionary of \(count)" }

  let lanes = Lanes.tasks([1])
  let expectedAnswer = 1

  func contenders() -> [Contender] {
    let single = Container { Registration(Leaf.self) { _ in Leaf() } }
    return [
      Contender(
        name: Self.one, role: .container, answer: { try await single.resolve(Leaf.self).weight },
        work: .tasks { count in try repeating(count) { consume(try single.resolve(Leaf.self)) } })
    ]
      + Self.counts.flatMap { size in
        let container = Container {
          for number in 0..<size { Registration(Leaf.self) { _ in Leaf() }.key("\(number)") }
        }
        return [
          Contender(
            name: Self.array(size), role: .container,
            answer: { try await container.resolve([Leaf].self).count == size ? 1 : 0 },
            work: .tasks { count in
              try repeating(count) { _ = opaque(try container.resolve([Leaf].self).count) }
            }),
          Contender(
            name: Self.dictionary(size), role: .container,
            answer: { try await container.resolve([String: Leaf].self).count == size ? 1 : 0 },
            work: .tasks { count in
              try repeating(count) { _ = opaque(try container.resolve([String: Leaf].self).count) }
            }),
        ]
      }
  }
}
