import ActorDI
import Testing

/// Random webs of services whose hooks refer to each other. A caller gets a service only once all services that it refers to are
/// complete. A failed service is not kept.
@Suite(.inTurn) struct TiedBuildStressTests {
  @Test("Tasks get complete webs only, and one instance of each service")
  func wholeWebs() async throws {
    let run = StressRun("webs of hooks", size: 150)
    try await withWatchdog("webs of hooks") {
      for round in 0..<run.size {
        var random = run.random(round)
        let web = Web(count: Int.random(in: 2...6, using: &random), &random)
        defer { web.end() }
        let container = Container { for key in 0..<web.count { web.asynchronous(key) } }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for caller in 0..<10 {
            group.addTask { web.expectWhole(try await container.resolve(Node.self, key: caller % web.count)) }
          }
          try await group.waitForAll()
        }
        for key in 0..<web.count {
          for link in try await container.resolve(Node.self, key: key).links {
            #expect(try await container.resolve(Node.self, key: link.key) === link)
          }
        }
      }
    }
  }

  @Test("Threads get complete webs only, and one instance of each service")
  func wholeWebsOnThreads() async throws {
    let run = StressRun("webs of hooks on threads", size: 150)
    try await withWatchdog("webs of hooks on threads") {
      for round in 0..<run.size {
        var random = run.random(round)
        let web = Web(count: Int.random(in: 2...6, using: &random), &random)
        defer { web.end() }
        let container = Container { for key in 0..<web.count { web.synchronous(key) } }
        await Threads.run(5) { index in
          expectNoError { web.expectWhole(try container.resolve(Node.self, key: index % web.count)) }
        }
        for key in 0..<web.count {
          for link in try container.resolveNow(Node.self, key: key).links {
            #expect(try container.resolveNow(Node.self, key: link.key) === link)
          }
        }
      }
    }
  }

  @Test("Failing hooks and cancelled callers leave no incomplete service")
  func failures() async throws {
    let run = StressRun("webs of hooks that fail", size: 150)
    try await withWatchdog("webs of hooks that fail") {
      for round in 0..<run.size {
        var random = run.random(round)
        let web = Web(count: Int.random(in: 2...5, using: &random), &random, failures: 3)
        defer { web.end() }
        let container = Container { for key in 0..<web.count { web.asynchronous(key) } }
        let cancelled = Set((0..<12).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
        await withTaskGroup(of: Void.self) { group in
          for caller in 0..<12 {
            group.addTask {
              let task = Task { try await container.resolve(Node.self, key: caller % web.count) }
              if cancelled.contains(caller) {
                await Task.yield()
                task.cancel()
              }
              do {
                web.expectWhole(try await task.value)
              } catch is WebFailure {
              } catch is CancellationError {
              } catch {
                complain("unexpected error: \(error)")
              }
            }
          }
        }
        web.stopFailing()
        // Each kept service refers to kept services.
        for key in 0..<web.count {
          let node = try await container.resolve(Node.self, key: key)
          web.expectWhole(node)
          for link in node.links { #expect(try await container.resolve(Node.self, key: link.key) === link) }
        }
        try await container.shutdown()
      }
    }
  }
}

private struct WebFailure: Error {}

/// The references between the services, and the planned failures.
private final class Web: Sendable {
  let count: Int
  private let targets: [[Int]]
  private let failuresLeft: Lock<Int>
  private let failing: Int
  private let made = Lock<[Node]>([])

  init(count: Int, _ random: inout SeededRandom, failures: Int = 0) {
    self.count = count
    targets = (0..<count).map { key in
      // A ring, and sometimes another reference.
      [(key + 1) % count] + (Bool.random(using: &random) ? [Int.random(in: 0..<count, using: &random)] : [])
    }
    failuresLeft = Lock(failures)
    failing = Int.random(in: 0..<count, using: &random)
  }

  func asynchronous(_ key: Int) -> Registration<Node> {
    Registration(Node.self, scope: .singleton) { _ in
      await Task.yield()
      return self.make(key)
    }
    .onCreated { (node: Node, r: Resolver) async throws in
      for target in self.targets[key] {
        node.add(try await r.resolve(Node.self, key: target))
        await Task.yield()
      }
      try self.failIfDue(key)
      node.complete()
    }
    .key(key)
  }

  func synchronous(_ key: Int) -> Registration<Node> {
    Registration(Node.self, scope: .singleton) { _ in self.make(key) }
      .onCreated { node, r in
        for target in self.targets[key] { node.add(try r.resolve(Node.self, key: target)) }
        node.complete()
      }
      .key(key)
  }

  private func make(_ key: Int) -> Node {
    let node = Node(key)
    made.withLock { $0.append(node) }
    return node
  }

  /// Removes the references between the nodes, which hold each other.
  func end() {
    for node in made.withLock({ $0 }) { node.removeLinks() }
  }

  func stopFailing() { failuresLeft.withLock { $0 = 0 } }

  private func failIfDue(_ key: Int) throws {
    guard key == failing else { return }
    let fails = failuresLeft.withLock { left in
      left -= 1
      return left >= 0
    }
    if fails { throw WebFailure() }
  }

  /// Checks that all nodes that a node refers to are complete.
  func expectWhole(_ node: Node) {
    var seen: Set<ObjectIdentifier> = []
    var frontier = [node]
    while let next = frontier.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      if !next.isComplete { complain("node \(node.key) refers to node \(next.key), which is not complete") }
      frontier += next.links
    }
    if seen.count > count { complain("\(count) services have \(seen.count) nodes") }
  }
}

private final class Node: Sendable {
  let key: Int
  private let state = Lock<(links: [Node], isComplete: Bool)>(([], false))
  init(_ key: Int) { self.key = key }
  var links: [Node] { state.withLock { $0.links } }
  var isComplete: Bool { state.withLock { $0.isComplete } }
  func add(_ node: Node) { state.withLock { $0.links.append(node) } }
  func removeLinks() {
    _ = state.withLock { state in
      let old = state.links
      state.links = []
      return old
    }
  }
  func complete() { state.withLock { $0.isComplete = true } }
}
