import ActorDITestSupport
import Testing

@testable import ActorDI

/// Requests that close a cycle with an injection in it (G4).
@Suite("Injections that wait for a build")
struct PostponementTests {
  private var graph = WaitGraph.State()
  private let attempts: [String: Attempt]
  private let cells: [String: OnceCell]

  init() {
    let names = ["head", "body", "tail"]
    func identity(_ name: String) -> ServiceIdentity { ServiceIdentity(Probe.self, key: Key.of(name)) }
    attempts = Dictionary(uniqueKeysWithValues: names.map { ($0, Attempt(identity($0), binding: nil, number: 1)) })
    cells = Dictionary(uniqueKeysWithValues: names.map { ($0, OnceCell(identity($0))) })
  }

  private func attempt(_ name: String) throws -> Attempt { try #require(attempts[name]) }

  /// Adds an edge. A wait has a number; otherwise the source runs the target.
  private mutating func add(_ from: String, _ to: String, wait: UInt64? = nil) throws -> (
    WaitGraph.Answer, recalled: [OnceCell]
  ) {
    let (source, target, cell) = (try attempt(from), try attempt(to), try #require(cells[to]))
    let edge = WaitGraph.Edge(
      source: source, target: target, path: [source.identity, target.identity],
      kind: wait.map { .wait($0) } ?? .build, cell: wait == nil ? nil : RetainedCell(cell))
    let (answer, recalled) = graph.wait(edge)
    return (answer, recalled.compactMap { $0.cell?.cell })
  }

  private func show(_ name: String, toInjection isInjection: Bool = true) throws {
    try attempt(name).show(Instance(holding: Probe()), toInjection: isInjection)
  }

  @Test mutating func aWaiterMayTakeTheInstanceOfAnInjection() throws {
    _ = try add("body", "tail", wait: 1)
    try show("tail")
    _ = try add("tail", "head", wait: 2)
    let (answer, recalled) = try add("head", "body", wait: 3)
    guard case .waits = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(recalled.map(ObjectIdentifier.init) == [cells["tail"]].compactMap { $0 }.map(ObjectIdentifier.init))
    // The waiter asks again.
    guard case .takes = try add("body", "tail", wait: 4).0 else {
      Issue.record("G4")
      return
    }
  }

  /// Both the body and the head wait for the tail. Only the head's wait is part of the cycle.
  @Test mutating func onlyAWaiterInTheCycleAsksAgain() throws {
    try show("tail")
    _ = try add("body", "tail", wait: 1)
    _ = try add("head", "tail", wait: 2)
    let (source, target, cell) = (try attempt("tail"), try attempt("head"), try #require(cells["head"]))
    let edge = WaitGraph.Edge(source: source, target: target, path: [], kind: .wait(3), cell: RetainedCell(cell))
    #expect(graph.wait(edge).recalled.map(\.kind) == [.wait(2)])
  }

  /// Two requests of the head's factory lead to the tail.
  @Test mutating func theWaitersInAllCyclesAskAgain() throws {
    try show("tail")
    _ = try add("head", "body", wait: 1)
    _ = try add("body", "tail", wait: 2)
    _ = try add("head", "tail", wait: 3)
    #expect(try add("tail", "head", wait: 4).recalled.count == 2)
  }

  @Test mutating func aRequestOnTheStackOfAnInjectionFailsInItsPlace() throws {
    _ = try add("body", "tail")
    try show("tail")
    _ = try add("tail", "head")
    let (answer, recalled) = try add("head", "body", wait: 1)
    guard case .cycle(let path) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(path.count == 4 && recalled.isEmpty)
    #expect(try attempt("tail").takeAwaited() === attempt("body"))
    #expect(try attempt("head").has(.yielding) && !attempt("tail").has(.yielding) && !attempt("body").has(.yielding))
  }

  @Test mutating func aThreadThatTheInjectionWaitsForIsNotFailed() throws {
    _ = try add("body", "tail")
    try show("tail")
    _ = try add("tail", "head", wait: 1)
    let (answer, recalled) = try add("head", "body", wait: 2)
    guard case .waits = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(recalled.count == 1 && recalled.first === cells["head"])
    #expect(try attempt("tail").takeAwaited() == nil && !attempt("head").has(.yielding))
    // The injection's request asks again, and fails.
    guard case .cycle = try add("tail", "head", wait: 3).0 else {
      Issue.record("G4")
      return
    }
    #expect(try attempt("tail").takeAwaited() === attempt("head"))
  }

  @Test mutating func anotherHookDoesNotWait() throws {
    _ = try add("body", "tail")
    try show("tail", toInjection: false)
    guard case .cycle = try add("tail", "body", wait: 1).0 else {
      Issue.record("a cycle")
      return
    }
    #expect(try attempt("tail").takeAwaited() == nil)
  }

  @Test mutating func theNextHookDoesNotWaitInPlaceOfAnInjection() throws {
    _ = try add("body", "tail")
    try show("tail")
    guard case .cycle = try add("tail", "body", wait: 1).0 else {
      Issue.record("a cycle")
      return
    }
    try show("tail", toInjection: false)
    #expect(try attempt("tail").takeAwaited() == nil)
  }

  @Test func aBuildThatHasRunTakesNoRest() throws {
    struct Rest: RestOfBuild {
      let instance = Instance(holding: Probe())
      let awaited: Attempt
      var run: ObservedRun?
      func finish(_ attempt: Attempt) throws -> Product { Product(instance: instance) }
      func finish(_ attempt: Attempt) async throws -> Product { Product(instance: instance) }
    }
    let (awaited, waiting, cell) = (try attempt("body"), try attempt("tail"), try #require(cells["tail"]))
    let edge = WaitGraph.Edge(source: waiting, target: awaited, path: [], kind: .rest)
    let build = PostponedBuild(
      attempt: waiting, retained: RetainedCell(cell), rest: Rest(awaited: awaited), edge: edge)
    #expect(awaited.postpone(build))
    #expect(awaited.takePostponed()?.attempt === waiting)
    #expect(awaited.takePostponed() == nil)
    #expect(!awaited.postpone(build))
  }
}
