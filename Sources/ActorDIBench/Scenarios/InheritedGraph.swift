import ActorDI

/// P18: ten new objects for each resolve, in a tree of three levels, registered in a parent.
struct InheritedGraph: Scenario {
  static let name = "inherited-graph"
  static let summary = "graph of 10 transient objects that a parent registers, sync"

  let lanes = Lanes.single
  let expectedAnswer = Answers.objects

  func contenders() throws -> [Contender] {
    let containers = [(ContenderName.byAutowiring, Graph.autowired()), (ContenderName.byFactory, Graph.factories())]
    return [
      Graph.plain
    ] + containers.flatMap { Self.contenders($0, below: $1) }
  }

  /// The contenders that resolve from a child and from a scope of a container.
  private static func contenders(_ kind: String, below app: Container) -> [Contender] {
    let child = Relatives.child(of: app)
    return [
      Contender(
        name: "\(ContenderName.child)\(kind)", role: .container,
        answer: { try await child.resolve(GraphRoot.self).weight },
        work: .threads { count in
          try repeating(count) { consume(try child.resolve(GraphRoot.self)) }
        }),
      Contender(
        name: "\(ContenderName.requestScope)\(kind)", role: .container,
        answer: {
          try await Relatives.withRequestScope(of: app) { scope in try await scope.resolve(GraphRoot.self).weight }
        },
        work: .own { load in
          try await Relatives.withRequestScope(of: app) { scope in
            try ThreadTeam.run(load) { count in
              try repeating(count) { consume(try scope.resolve(GraphRoot.self)) }
            }
          }
        }),
    ]
  }
}
