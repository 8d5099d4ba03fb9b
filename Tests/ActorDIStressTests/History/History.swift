/// A service in a history. A factory resolves only services of lower names, so there are no cycles.
enum HistoryName: Int, CaseIterable, CustomStringConvertible {
  case a, keyedA, b, keyedB
  var description: String { ["A", "A[1]", "B", "B[1]"][rawValue] }
}

/// A plan of a registration: its scope, dependency and failures.
struct HistoryPlan: CustomStringConvertible {
  enum ScopeKind: CaseIterable { case transient, shared, singleton, scoped }

  /// The registration's number.
  let number: Int
  let scope: ScopeKind
  /// The service that the factory resolves; nil without one.
  let dependency: HistoryName?
  let isAsynchronous: Bool
  /// Whether the factory's first run fails.
  let fails: Bool
  /// The number of times that the factory yields.
  let yields: Int

  init(
    number: Int, scope: ScopeKind = .singleton, dependency: HistoryName? = nil, isAsynchronous: Bool = false,
    fails: Bool = false, yields: Int = 0
  ) {
    (self.number, self.scope, self.dependency) = (number, scope, dependency)
    (self.isAsynchronous, self.fails, self.yields) = (isAsynchronous, fails, yields)
  }

  var description: String {
    "\(number): \(scope)\(dependency.map { ", needs \($0)" } ?? "")\(isAsynchronous ? ", asynchronous" : "")\(fails ? ", fails once" : "")"
  }
}

/// An operation of a client. Containers and links have numbers. An operation on one that does not exist yet is skipped.
enum HistoryAct {
  case register(HistoryName, HistoryPlan, in: Int)
  case unregister(HistoryName, in: Int)
  case resolve(HistoryName, from: Int, isAsynchronous: Bool)
  case inspect(HistoryName, from: Int)
  case contains(HistoryName, from: Int)
  case reset(HistoryName, in: Int)
  case resetAll(in: Int)
  case makeChild(Int, of: Int)
  case link(Int, from: Int, to: Int)
  case cancelLink(Int, from: Int)
  case shutDown(Int)
}

/// The result of an operation. The factory numbers instances and failures.
enum HistoryAnswer: Hashable {
  case done
  case flag(Bool)
  case made(Int, registration: Int, builder: Int)
  case failed(Int, registration: Int)
  case missing, asyncRequired, closed
  case unexpected(String)
}

/// A call of an operation, with its result, and the times of the call and of its return.
struct HistoryOperation: CustomStringConvertible {
  /// The client's number; negative during the setup; nil for a factory's resolve.
  let client: Int?
  let act: HistoryAct
  let begin: Int
  let end: Int
  let answer: HistoryAnswer

  var description: String {
    "\(begin)–\(end) \(client.map { $0 < 0 ? "setup" : "client \($0)" } ?? "a factory"): \(act) -> \(answer)"
  }
}

/// The operations of concurrent clients.
struct HistoryProgram {
  /// The operations before the clients start.
  var setup: [HistoryAct] = []
  /// The clients' operations. The first two clients are tasks, the others threads.
  var clients: [[HistoryAct]]

  init(setup: [HistoryAct], clients: [[HistoryAct]]) { (self.setup, self.clients) = (setup, clients) }

  init(_ random: inout SeededRandom) {
    var numbers = 0
    // A program has links or shutdowns, since the results of a search through a link to a closed container are unspecified.
    let mayLink = Bool.random(using: &random)
    func act(_ isThread: Bool) -> HistoryAct {
      numbers += 1
      let name = HistoryName.allCases.randomElement(using: &random) ?? .a
      // Container 0 is the parent of 1. Container 2 is separate. Clients make the others.
      let container = [0, 0, 1, 1, 2, 3].randomElement(using: &random) ?? 0
      switch Int.random(in: isThread ? 8..<16 : 0..<16, using: &random) {
      case 0...2: return register(name, in: container)
      case 3: return .unregister(name, in: container)
      case 4: return .reset(name, in: container)
      case 5: return .resetAll(in: container)
      case 6 where !mayLink && Int.random(in: 0..<3, using: &random) == 0: return .shutDown(container)
      case 14: return .inspect(name, from: container)
      case 15:
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .makeChild([3, numbers + 3].randomElement(using: &random) ?? 3, of: container)
        case 1 where mayLink: return .link(numbers, from: container, to: [0, 2].randomElement(using: &random) ?? 0)
        case 2 where mayLink: return .cancelLink(0, from: 1)
        default: return .contains(name, from: container)
        }
      default: return .resolve(name, from: container, isAsynchronous: !isThread && Bool.random(using: &random))
      }
    }
    func register(_ name: HistoryName, in container: Int) -> HistoryAct {
      let lowerNames = HistoryName.allCases.filter { $0.rawValue < name.rawValue }
      let plan = HistoryPlan(
        number: numbers,
        scope: [.transient, .shared, .singleton, .singleton, .scoped].randomElement(using: &random) ?? .singleton,
        dependency: Bool.random(using: &random) ? lowerNames.randomElement(using: &random) : nil,
        isAsynchronous: Int.random(in: 0..<4, using: &random) == 0, fails: Int.random(in: 0..<6, using: &random) == 0,
        yields: Int.random(in: 0..<3, using: &random))
      return .register(name, plan, in: container)
    }
    clients = []
    for client in 0..<Int.random(in: 2...4, using: &random) {
      clients.append((0..<Int.random(in: 3...6, using: &random)).map { _ in act(client >= 2) })
    }
    if mayLink { setup.append(.link(0, from: 1, to: 2)) }
    for container in 0..<3 {
      for name in HistoryName.allCases where Bool.random(using: &random) {
        numbers += 1
        setup.append(register(name, in: container))
      }
    }
  }

  var count: Int { clients.reduce(setup.count) { $0 + $1.count } }

  /// Returns the program without one operation.
  func without(_ index: Int) -> HistoryProgram {
    var shorter = self
    if index < setup.count {
      shorter.setup.remove(at: index)
      return shorter
    }
    var index = index - setup.count
    for client in clients.indices {
      if index < clients[client].count {
        shorter.clients[client].remove(at: index)
        break
      }
      index -= clients[client].count
    }
    return shorter
  }
}

/// The recorded operations of a program's run.
struct RecordedHistory: CustomStringConvertible {
  /// The operations in the order of their returns.
  let operations: [HistoryOperation]
  /// The numbers of the instances and failures that factories have produced.
  let produced: Set<Int>

  var description: String { operations.sorted { $0.begin < $1.begin }.map { "  \($0)" }.joined(separator: "\n") }
}

extension HistoryProgram {
  /// Removes all operations but resolves, so that kept instances stay.
  mutating func keepResolvesOnly() {
    for client in clients.indices { clients[client].removeAll { if case .resolve = $0 { false } else { true } } }
  }
}

extension HistoryProgram {
  /// Programs that once had an invalid history.
  static let regressions = [
    // A factory resolves from a container during the parent's shutdown. The container once reported that its service is not registered.
    HistoryProgram(
      setup: [
        .register(.b, HistoryPlan(number: 1, isAsynchronous: true), in: 1),
        .register(.keyedB, HistoryPlan(number: 2, dependency: .b), in: 1),
      ],
      clients: [[], [.shutDown(0)], [.resolve(.keyedB, from: 1, isAsynchronous: false)]]),
    // A factory resolves from a container during its shutdown. It once got the parent's service in place of the container's own.
    HistoryProgram(
      setup: [
        .register(.a, HistoryPlan(number: 1), in: 0), .register(.a, HistoryPlan(number: 2), in: 1),
        .register(.keyedA, HistoryPlan(number: 3, dependency: .a), in: 1),
      ],
      clients: [[], [.shutDown(1)], [.resolve(.keyedA, from: 1, isAsynchronous: false)]]),
    // A container refused a registration during its shutdown, and then built a service for a resolve from its child.
    HistoryProgram(
      setup: [.register(.a, HistoryPlan(number: 1), in: 0)],
      clients: [
        [.shutDown(0)],
        [.register(.b, HistoryPlan(number: 2), in: 0), .resolve(.a, from: 1, isAsynchronous: true)],
      ]),
    HistoryProgram(
      setup: [.link(0, from: 1, to: 2), .register(.a, HistoryPlan(number: 1), in: 2)],
      clients: [
        [.shutDown(2)],
        [.register(.b, HistoryPlan(number: 2), in: 2), .resolve(.a, from: 1, isAsynchronous: true)],
      ]),
    // A child refused a resolve during its parent's shutdown, and then accepted a registration.
    HistoryProgram(
      setup: [.register(.a, HistoryPlan(number: 1, isAsynchronous: true), in: 1)],
      clients: [
        [.shutDown(0)],
        [.resolve(.a, from: 1, isAsynchronous: false), .register(.b, HistoryPlan(number: 2), in: 1)],
      ]),
    // A reset once dropped the instance of a scoped service twice. A build that began between the two was not kept.
    HistoryProgram(
      setup: [.register(.a, HistoryPlan(number: 1, scope: .scoped), in: 0)],
      clients: [
        [.resolve(.a, from: 0, isAsynchronous: true), .reset(.a, in: 0)],
        [.resolve(.a, from: 0, isAsynchronous: false), .inspect(.a, from: 0)],
        [.resolve(.a, from: 0, isAsynchronous: false), .inspect(.a, from: 0)],
      ]),
    HistoryProgram(
      setup: [.register(.a, HistoryPlan(number: 1, scope: .scoped), in: 0)],
      clients: [
        [.resolve(.a, from: 0, isAsynchronous: true), .resetAll(in: 0)],
        [.resolve(.a, from: 0, isAsynchronous: false), .inspect(.a, from: 0)],
        [.resolve(.a, from: 0, isAsynchronous: false), .inspect(.a, from: 0)],
      ]),
  ]
}
