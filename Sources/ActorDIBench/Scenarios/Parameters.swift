import ActorDI

/// P19: a new object with 1 … 12 parameters for each resolve. Each parameter is a new object of a distinct type.
struct Parameters: Scenario {
  static let name = "parameters"
  static let summary = "transient with n parameters, autowired, sync, n + 1 objects"

  let lanes = Lanes.parameters(Wholes.counts)
  /// There are thirty-six figures, all steady.
  let mostRepeats = 7
  let expectedAnswer = Wholes.weight

  func contenders() -> [Contender] {
    let app = Container { Wholes.registrations }
    let child = Relatives.child(of: app)
    return [
      Contender(
        name: ContenderName.plain, role: .floor, answer: { Wholes.plainWeight() },
        work: .onOneThread { Wholes.making($0) }),
      Contender(
        name: ContenderName.autowired, role: .container, answer: { try Wholes.weight(in: app) },
        work: .onOneThread { Wholes.resolving($0, from: app) }),
      Contender(
        name: "\(ContenderName.child)\(ContenderName.byAutowiring)", role: .container,
        answer: { try Wholes.weight(in: child) },
        work: .onOneThread { Wholes.resolving($0, from: child) }),
    ]
  }
}
