import ActorDI

/// P23: readers of a parent's singleton in a child, while another task continuously changes the parent's registry.
///
/// See ``Churn`` for the reference.
struct InheritedChurn: Scenario {
  static let name = "inherited-churn"
  static let summary = "warm singleton of a parent, sync, while a task changes the parent's registry"
  static let quiet = "container, child, quiet, other core busy"
  static let churned = "container, child, parent under churn"

  func contenders() throws -> [Contender] {
    let child = try Relatives().child
    return [
      Contender(
        name: Self.quiet, role: .floor,
        answer: { try await child.resolve((any Greeter).self).answer(Answers.question) },
        work: .own { load in
          let relatives = try Relatives()
          return try await Churn.read(relatives.child, load) { Churn.keepBusy($0) }
        }),
      Contender(
        name: Self.churned, role: .container,
        answer: { try await child.resolve((any Greeter).self).answer(Answers.question) },
        work: .own { load in
          let relatives = try Relatives()
          return try await Churn.read(relatives.child, load) {
            try await Churn.change(relatives.app, number: $0)
          }
        }),
    ]
  }
}
