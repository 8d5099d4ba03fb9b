import ActorDI

/// P18: ten new objects for each resolve, each of which depends on the one before, registered in a parent.
struct InheritedChain: Scenario {
  static let name = "inherited-chain"
  static let summary = "chain of 10 transient objects that a parent registers, sync"

  let lanes = Lanes.single
  let expectedAnswer = Answers.objects

  func contenders() throws -> [Contender] {
    let containers = [(ContenderName.byAutowiring, Chain.autowired()), (ContenderName.byFactory, Chain.factories())]
    return [
      Chain.plain
    ] + containers.flatMap { Self.contenders($0, below: $1) }
  }

  /// The contenders that resolve from a child and from a scope of a container.
  private static func contenders(_ kind: String, below app: Container) -> [Contender] {
    let child = Relatives.child(of: app)
    return [
      Contender(
        name: "\(ContenderName.child)\(kind)", role: .container,
        answer: { try await child.resolve(Link9.self).weight },
        work: .threads { count in
          try repeating(count) { consume(try child.resolve(Link9.self)) }
        }),
      Contender(
        name: "\(ContenderName.requestScope)\(kind)", role: .container,
        answer: {
          try await Relatives.withRequestScope(of: app) { scope in try await scope.resolve(Link9.self).weight }
        },
        work: .own { load in
          try await Relatives.withRequestScope(of: app) { scope in
            try ThreadTeam.run(load) { count in
              try repeating(count) { consume(try scope.resolve(Link9.self)) }
            }
          }
        }),
    ]
  }
}
