import ActorDITestSupport
import Testing

@testable import ActorDI

/// Three attempts that wait for each other, take instances from each other and end in every order, with the rules for that.
///
/// The expectations follow from the events alone, not from the graph.
private struct World {
  enum Event: CustomStringConvertible {
    case wait(Int, Int)
    case end(Int, isSuccess: Bool)

    var description: String {
      switch self {
      case .wait(let source, let target): "\(source) asks for \(target)"
      case .end(let index, let isSuccess): "\(index) \(isSuccess ? "succeeds" : "fails")"
      }
    }
  }

  enum Phase: Equatable { case running, waiting(Int), held, ended, dropped }

  var graph = WaitGraph.State()
  var phases: [Phase]
  /// For each attempt, the attempts whose instances it has taken.
  var taken: [Set<Int>]
  var edges: [Int: WaitGraph.Edge] = [:]
  let attempts: [Attempt]
  let cells: [OnceCell]
  let hooks: Set<Int>

  init(hooks: Set<Int>, count: Int = 3) {
    attempts = (0..<count).map {
      Attempt(ServiceIdentity(Probe.self, key: TypedKey($0)), binding: nil, number: 1, isTask: $0 == 0)
    }
    cells = (0..<count).map { OnceCell(ServiceIdentity(Probe.self, key: TypedKey($0))) }
    phases = Array(repeating: .running, count: count)
    taken = Array(repeating: [], count: count)
    self.hooks = hooks
    for index in hooks { attempts[index].setProvisional(Instance(holding: Probe())) }
  }

  /// The possible events: a running attempt may ask for another one, or end.
  var events: [Event] {
    phases.indices.filter { phases[$0] == .running }.flatMap { index in
      phases.indices.filter { $0 != index && !phases[$0].isOver }.map { .wait(index, $0) }
        + [.end(index, isSuccess: true), .end(index, isSuccess: false)]
    }
  }

  /// Applies an event to the graph, and checks the result.
  ///
  /// - Returns: A description of the error, or nil.
  mutating func apply(_ event: Event) -> String? {
    switch event {
    case .wait(let source, let target): return wait(source, target)
    case .end(let index, let isSuccess): return end(index, isSuccess)
    }
  }

  private mutating func wait(_ source: Int, _ target: Int) -> String? {
    let edge = WaitGraph.Edge(
      source: attempts[source], target: attempts[target], path: [attempts[source].identity, attempts[target].identity],
      kind: .wait(UInt64(source)), cell: RetainedCell(cells[target]))
    let closes = waits(from: target).contains(source)
    let (answer, recalled) = graph.wait(edge)
    switch answer {
    case .waits:
      if closes && recalled.isEmpty { return "the wait closes a cycle" }
      (phases[source], edges[source]) = (.waiting(target), edge)
    case .takes:
      if !closes { return "taken without a cycle (G3)" }
      if phases[target] != .held && !hooks.contains(target) { return "taken before its creation" }
      taken[source].insert(target)
    case .cycle:
      if !closes { return "an error without a cycle" }
      if phases[target] == .held || hooks.contains(target) { return "an error although the target has an instance" }
    }
    return recall { source, _ in recalled.contains { $0.source === source } }
  }

  /// Lets waiters that are called back ask again, as a cell does.
  private mutating func recall(_ isRecalled: (_ source: Attempt, _ target: Attempt) -> Bool) -> String? {
    for target in phases.indices {
      for source in phases.indices
      where phases[source] == .waiting(target) && isRecalled(attempts[source], attempts[target]) {
        if let edge = edges.removeValue(forKey: source) { graph.remove(edge) }
        phases[source] = .running
        if let problem = wait(source, target) { return problem }
      }
    }
    return nil
  }

  private mutating func end(_ index: Int, _ isSuccess: Bool) -> String? {
    let isDoomed = taken[index].contains { phases[$0] == .dropped }
    attempts[index].setProvisional(Instance(holding: Probe()))
    let product = Product(instance: Instance(holding: Probe()))
    let held = WaitGraph.Held(
      attempt: attempts[index], retained: RetainedCell(cells[index]), product: product)
    let conclusion = graph.conclude(attempts[index], isSuccess ? held : nil)
    _ = graph.takeRemoved()
    var recalled: [Attempt] = []
    switch conclusion {
    case .held:
      if !isSuccess || isDoomed { return "a failure is held" }
      phases[index] = .held
      if isComplete(index) { return "held although all its ties are complete" }
      let holdings = graph.holdings
      for number in phases.indices where phases[number] == .held {
        let holding = holdings.first { $0.held.attempt === attempts[number] }
        guard let holding else { return "\(number) is held without a holding" }
        if holding.isAsynchronous != waitsForTask(number) { return "\(number) is held, asynchronously: \(holding)" }
      }
      recalled = holdings.map(\.held.attempt)
    case .ends(let isDropped, let others):
      if isSuccess && isDropped != isDoomed { return "dropped: \(isDropped) (G2)" }
      phases[index] = isSuccess && !isDropped ? .ended : .dropped
      for other in others {
        guard let number = attempts.firstIndex(where: { $0 === other.held.attempt }) else {
          return "an unknown attempt ends"
        }
        if phases[number] != .held { return "\(number) ends, though not held" }
        phases[number] = other.isDropped ? .dropped : .ended
      }
      for number in phases.indices {
        if phases[number] == .ended, taken[number].contains(where: { phases[$0] != .ended }) {
          return "\(number) has ended before what it has taken (G1)"
        }
        if phases[number] == .held {
          if taken[number].contains(where: { phases[$0] == .dropped }) {
            return "\(number) is kept with what has failed (G2)"
          }
          if isComplete(number) { return "\(number) is held although all its ties are complete" }
        }
        if phases[number].isOver && !attempts[number].has(.finished) { return "\(number) is not marked as finished" }
      }
    }
    if let problem = recall({ _, target in recalled.contains { $0 === target } }) { return problem }
    // Attempts that wait for an ended one resume.
    for source in phases.indices {
      if case .waiting(let target) = phases[source], phases[target].isOver {
        if let edge = edges.removeValue(forKey: source) { graph.remove(edge) }
        phases[source] = .running
      }
    }
    return nil
  }

  /// Whether every attempt that a held one is tied to is held or has ended.
  private func isComplete(_ index: Int) -> Bool { companions(of: index).allSatisfy { phases[$0] == .held } }

  /// Whether an attempt that a held one is tied to runs in a task, and has not run yet.
  private func waitsForTask(_ index: Int) -> Bool {
    companions(of: index).contains { attempts[$0].isTask && phases[$0] != .held && !phases[$0].isOver }
  }

  /// The attempts that one is tied to, directly or through others, and that have not ended; and the attempt itself.
  private func companions(of index: Int) -> Set<Int> {
    var found: Set<Int> = [index]
    var frontier = [index]
    while let next = frontier.popLast() {
      frontier += taken[next].filter { phases[$0] != .ended && found.insert($0).inserted }
    }
    return found
  }

  /// All attempts that one waits for: the one it asks for, and the ties of held ones.
  private func waits(from start: Int) -> Set<Int> {
    var found: Set<Int> = [start]
    var frontier = [start]
    while let next = frontier.popLast() {
      let targets: [Int] =
        switch phases[next] {
        case .waiting(let target): [target]
        case .held: taken[next].filter { !phases[$0].isOver }
        default: []
        }
      frontier += targets.filter { found.insert($0).inserted }
    }
    return found
  }

  /// The error in a state in which no event is possible; nil if there is none.
  var problemAtTheEnd: String? {
    if phases.contains(where: { !$0.isOver }) { return "no attempt can continue: \(phases)" }
    return graph.isEmpty ? nil : "the graph is not empty"
  }
}

extension World.Phase {
  fileprivate var isOver: Bool { self == .ended || self == .dropped }
}

@Suite("Ties between attempts")
struct TieTests {
  /// Explores all sequences of events. Attempts are stateful objects, so each sequence is replayed from the beginning.
  private func explore(hooks: Set<Int>, askingAtMost limit: Int, _ events: [World.Event], _ count: inout Int) -> String?
  {
    var world = World(hooks: hooks)
    for event in events {
      if let problem = world.apply(event) { return "\(problem) after \(events), created: \(hooks)" }
    }
    count += 1
    let next = world.events
    if next.isEmpty { return world.problemAtTheEnd.map { "\($0) after \(events), created: \(hooks)" } }
    let asked = events.filter { if case .wait = $0 { true } else { false } }.count
    for event in next {
      if case .wait = event, asked == limit { continue }
      if let problem = explore(hooks: hooks, askingAtMost: limit, events + [event], &count) { return problem }
    }
    return nil
  }

  @Test(
    "All event sequences of three attempts satisfy G1 to G3", arguments: [[], [0], [0, 1], [0, 1, 2]] as [Set<Int>])
  func rules(created: Set<Int>) {
    var count = 0
    #expect(explore(hooks: created, askingAtMost: 4, [], &count) == nil)
    #expect(count > 1_000)
  }

  @Test func anAttemptTakesItsOwnInstanceWithoutATie() {
    var world = World(hooks: [0])
    let edge = WaitGraph.Edge(source: world.attempts[0], target: world.attempts[0], path: [], kind: .wait(1))
    guard case (.takes, _) = world.graph.wait(edge) else {
      Issue.record("The attempt does not take its own instance")
      return
    }
    #expect(world.attempts[0].finishUntied(), "The attempt is not tied to itself")
    #expect(world.graph.isEmpty)
  }

  /// The first attempt runs in a task. The third one is held before the second one is tied to the first.
  @Test func whatAHeldAttemptWaitsForChangesWithTheTiesOfOthers() {
    var world = World(hooks: [0, 1])
    let steps: [World.Event] = [
      .wait(0, 1), .wait(1, 2), .wait(2, 1), .end(2, isSuccess: true), .wait(1, 0), .end(1, isSuccess: true),
    ]
    for step in steps { #expect(world.apply(step) == nil) }
    #expect(world.phases == [.running, .held, .held])
    #expect(world.graph.holdings.map(\.isAsynchronous) == [true, true])
  }

  @Test func anEndedAttemptGivesNoInstance() {
    var world = World(hooks: [0])
    #expect(world.attempts[0].finishUntied())
    let edge = WaitGraph.Edge(source: world.attempts[1], target: world.attempts[0], path: [], kind: .wait(1))
    #expect(world.graph.tie(edge) == nil)
    #expect(world.graph.isEmpty)
  }
}
