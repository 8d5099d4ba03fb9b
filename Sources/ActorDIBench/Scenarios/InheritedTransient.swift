import ActorDI

/// P18: a new object for each resolve, registered in a parent.
struct InheritedTransient: Scenario {
  static let name = "inherited-transient"
  static let summary = "transient that a parent registers, sync, one object"

  let lanes = Lanes.single
  let expectedAnswer = Answers.leaf

  func contenders() throws -> [Contender] {
    let containers = [("", try Fixtures.warmContainer())]
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Floors.leaf().weight },
        work: .threads { count in
          repeating(count) { consume(Floors.leaf()) }
        })
    ] + containers.flatMap { Self.contenders($0, below: $1) }
  }

  /// The contenders that resolve from a child and from a scope of a container.
  private static func contenders(_ kind: String, below app: Container) -> [Contender] {
    let child = Relatives.child(of: app)
    return [
      Contender(
        name: "\(ContenderName.child)\(kind)", role: .container,
        answer: { try await child.resolve(Leaf.self).weight },
        work: .threads { count in
          try repeating(count) { consume(try child.resolve(Leaf.self)) }
        }),
      Contender(
        name: "\(ContenderName.requestScope)\(kind)", role: .container,
        answer: {
          try await Relatives.withRequestScope(of: app) { scope in try await scope.resolve(Leaf.self).weight }
        },
        work: .own { load in
          try await Relatives.withRequestScope(of: app) { scope in
            try ThreadTeam.run(load) { count in
              try repeating(count) { consume(try scope.resolve(Leaf.self)) }
            }
          }
        }),
    ]
  }
}
