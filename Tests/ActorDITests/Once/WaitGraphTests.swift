import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// Attempts by name, with numbers that no other test uses. All edges are removed at the end.
private final class Net {
  private var attempts: [String: Attempt] = [:]
  private var edges: [WaitGraph.Edge] = []

  deinit { for edge in edges { WaitGraph.remove(edge) } }

  func edge(_ from: String, _ to: String, through: String...) -> WaitGraph.Edge {
    WaitGraph.Edge(
      source: attempt(from), target: attempt(to), path: ([from] + through + [to]).map(Self.identity), kind: .build)
  }

  /// Adds an edge. Returns the path of the cycle that it would close; nil if it was added.
  func add(_ edge: WaitGraph.Edge) -> [String]? {
    if case .cycle(let path) = WaitGraph.wait(edge) { return path.map(\.description) }
    edges.append(edge)
    return nil
  }

  /// Adds the edge to a build that has just begun.
  func begin(_ edge: WaitGraph.Edge) {
    WaitGraph.add(edge)
    edges.append(edge)
  }

  func remove(_ edge: WaitGraph.Edge) {
    WaitGraph.remove(edge)
    if let index = edges.firstIndex(where: { $0.source === edge.source && $0.target === edge.target }) {
      edges.remove(at: index)
    }
  }

  private func attempt(_ name: String) -> Attempt {
    if let attempt = attempts[name] { return attempt }
    let attempt = Attempt(Self.identity(name), binding: nil, number: 1)
    attempts[name] = attempt
    return attempt
  }

  private static func identity(_ name: String) -> ServiceIdentity {
    ServiceIdentity(Probe.self, key: Key.of(name))
  }
}

private func path(_ names: String...) -> [String] { names.map { "Probe[\"\($0)\"]" } }

@Suite("Wait graph")
struct WaitGraphTests {
  @Test func anAttemptThatWaitsForItselfIsACycle() {
    let net = Net()
    #expect(net.add(net.edge("a", "a")) == path("a", "a"))
    #expect(net.add(net.edge("a", "a", through: "t")) == path("a", "t", "a"))
  }

  @Test func theSecondEdgeClosesACycleOfTwo() {
    let net = Net()
    #expect(net.add(net.edge("a", "b")) == nil)
    #expect(net.add(net.edge("b", "a")) == path("a", "b", "a"))
  }

  @Test func thePathOfACycleNamesEveryStep() {
    let net = Net()
    #expect(net.add(net.edge("a", "b", through: "t")) == nil)
    #expect(net.add(net.edge("b", "c")) == nil)
    #expect(
      net.add(net.edge("c", "a", through: "u", "v")) == path("a", "t", "b", "c", "u", "v", "a"))
  }

  @Test func aLongCycleIsFoundInAnyOrderOfEdges() {
    let names = (0..<50).map { "n\($0)" }
    let net = Net()
    var order = Array(names.indices.dropLast())
    var random = SeededGenerator(seed: 5)
    order.shuffle(using: &random)
    for index in order { #expect(net.add(net.edge(names[index], names[index + 1])) == nil) }
    let cycle = net.add(net.edge("n49", "n0"))
    #expect(cycle?.count == 51)
    #expect(cycle?.first == cycle?.last)
    #expect(cycle?.dropLast() == names.map { "Probe[\"\($0)\"]" }[...])
  }

  @Test func aDiamondIsNoCycle() {
    let net = Net()
    for (from, to) in [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d")] {
      #expect(net.add(net.edge(from, to)) == nil)
    }
    #expect(net.add(net.edge("d", "e")) == nil)
    #expect(net.add(net.edge("d", "a"))?.count ?? 0 >= 3)
  }

  @Test func anAttemptCanHaveManySourcesAndTargets() {
    let net = Net()
    for index in 0..<20 {
      #expect(net.add(net.edge("w\(index)", "hub")) == nil)
      #expect(net.add(net.edge("hub", "t\(index)")) == nil)
    }
    for index in 0..<20 {
      #expect(
        net.add(net.edge("t\(index)", "w\(index)"))
          == path("w\(index)", "hub", "t\(index)", "w\(index)"))
    }
  }

  @Test func aRefusedEdgeIsNotAdded() {
    let net = Net()
    #expect(net.add(net.edge("a", "b")) == nil)
    #expect(net.add(net.edge("b", "a")) != nil)
    // If b -> a were there, this would close the cycle a -> c -> b -> a.
    #expect(net.add(net.edge("a", "c")) == nil)
    #expect(net.add(net.edge("c", "b")) == nil)
  }

  @Test func aRemovedEdgeClosesNoCycle() {
    let net = Net()
    let edge = net.edge("a", "b")
    #expect(net.add(edge) == nil)
    #expect(net.add(net.edge("b", "a")) != nil)
    net.remove(edge)
    #expect(net.add(net.edge("b", "a")) == nil)
    net.remove(edge)  // Removing it twice has no effect.
    #expect(net.add(edge) == path("b", "a", "b"))
  }

  @Test func removingOneOfTwoEqualEdgesKeepsTheOther() {
    // Two child tasks of one factory wait for the same service.
    let net = Net()
    let (first, second) = (net.edge("a", "b", through: "x"), net.edge("a", "b", through: "y"))
    #expect(net.add(first) == nil)
    #expect(net.add(second) == nil)
    net.remove(first)
    #expect(net.add(net.edge("b", "a")) != nil, "The other child task still waits")
    net.remove(second)
    #expect(net.add(net.edge("b", "a")) == nil)
  }

  @Test func anEdgeToAFreshAttemptIsAddedWithoutASearch() {
    let net = Net()
    net.begin(net.edge("a", "b"))
    net.begin(net.edge("b", "c"))
    #expect(net.add(net.edge("c", "a")) == path("a", "b", "c", "a"))
  }
}
