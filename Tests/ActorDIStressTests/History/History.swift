/// A service in a history. What makes one asks for services of lower names only, so there are no cycles.
enum HistoryName: Int, CaseIterable, CustomStringConvertible {
  case a, keyedA, b, keyedB
  var description: String { ["A", "A[1]", "B", "B[1]"][rawValue] }
}

/// How a service is made.
struct HistoryPlan: CustomStringConvertible {
  enum Keeping: CaseIterable { case transient, shared, singleton, scoped }

  /// Which registration it is.
  let number: Int
  let keeping: Keeping
  let part: HistoryName?
  let isAsynchronous: Bool
  /// Whether the factory fails the first time that it runs.
  let fails: Bool
  /// How often the factory gives way to others.
  let pauses: Int

  init(
    number: Int, keeping: Keeping = .singleton, part: HistoryName? = nil, isAsynchronous: Bool = false,
    fails: Bool = false,
    pauses: Int = 0
  ) {
    (self.number, self.keeping, self.part) = (number, keeping, part)
    (self.isAsynchronous, self.fails, self.pauses) = (isAsynchronous, fails, pauses)
  }

  var description: String {
    "\(number): \(keeping)\(part.map { " of \($0)" } ?? "")\(isAsynchronous ? ", asynchronous" : "")\(fails ? ", fails once" : "")"
  }
}

/// What a client does. Containers and links have numbers; what names one that is not there yet is left out.
enum HistoryAct {
  case register(HistoryName, HistoryPlan, in: Int)
  case unregister(HistoryName, in: Int)
  case resolve(HistoryName, from: Int, isAsynchronous: Bool)
  case look(HistoryName, from: Int)
  case contains(HistoryName, from: Int)
  case reset(HistoryName, in: Int)
  case resetAll(in: Int)
  case makeChild(Int, of: Int)
  case link(Int, from: Int, to: Int)
  case cancelLink(Int, from: Int)
  case shutDown(Int)
}

/// What a client sees of an operation. Instances and failures have numbers of their own, drawn by the factory that yields them.
enum HistoryAnswer: Hashable {
  case done
  case flag(Bool)
  case made(Int, registration: Int, builder: Int)
  case failed(Int, registration: Int)
  case missing, asyncRequired, closed
  case unexpected(String)
}

/// An operation, with the times at which it was called and at which it had returned.
struct HistoryOperation: CustomStringConvertible {
  /// For what a factory asks for: nil.
  let client: Int?
  let act: HistoryAct
  let begin: Int
  let end: Int
  let answer: HistoryAnswer

  var description: String {
    "\(begin)–\(end) \(client.map { $0 < 0 ? "before" : "client \($0)" } ?? "a factory"): \(act) -> \(answer)"
  }
}

/// What some clients do at the same time.
struct HistoryProgram {
  /// What is done before they begin.
  var before: [HistoryAct] = []
  /// The last ones are threads of the system, as far as these can do what is to be done.
  var clients: [[HistoryAct]]

  init(before: [HistoryAct], clients: [[HistoryAct]]) { (self.before, self.clients) = (before, clients) }

  init(_ random: inout SeededRandom) {
    var numbers = 0
    // A container that others are linked to is not shut down: what they would find is not said.
    let mayLink = Bool.random(using: &random)
    func act(_ isThread: Bool) -> HistoryAct {
      numbers += 1
      let name = HistoryName.allCases.randomElement(using: &random) ?? .a
      // 0 is the parent of 1; 2 stands beside them; others are made by the way.
      let container = [0, 0, 1, 1, 2, 3].randomElement(using: &random) ?? 0
      switch Int.random(in: isThread ? 8..<16 : 0..<16, using: &random) {
      case 0...2: return register(name, in: container)
      case 3: return .unregister(name, in: container)
      case 4: return .reset(name, in: container)
      case 5: return .resetAll(in: container)
      case 6 where !mayLink && Int.random(in: 0..<3, using: &random) == 0: return .shutDown(container)
      case 14: return .look(name, from: container)
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
      let below = HistoryName.allCases.filter { $0.rawValue < name.rawValue }
      let plan = HistoryPlan(
        number: numbers,
        keeping: [.transient, .shared, .singleton, .singleton, .scoped].randomElement(using: &random) ?? .singleton,
        part: Bool.random(using: &random) ? below.randomElement(using: &random) : nil,
        isAsynchronous: Int.random(in: 0..<4, using: &random) == 0, fails: Int.random(in: 0..<6, using: &random) == 0,
        pauses: Int.random(in: 0..<3, using: &random))
      return .register(name, plan, in: container)
    }
    clients = []
    for client in 0..<Int.random(in: 2...4, using: &random) {
      clients.append((0..<Int.random(in: 3...6, using: &random)).map { _ in act(client >= 2) })
    }
    if mayLink { before.append(.link(0, from: 1, to: 2)) }
    for container in 0..<3 {
      for name in HistoryName.allCases where Bool.random(using: &random) {
        numbers += 1
        before.append(register(name, in: container))
      }
    }
  }

  var count: Int { clients.reduce(before.count) { $0 + $1.count } }

  /// The program with one act less.
  func without(_ index: Int) -> HistoryProgram {
    var shorter = self
    if index < before.count {
      shorter.before.remove(at: index)
      return shorter
    }
    var index = index - before.count
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

/// What was seen of a program.
struct RecordedHistory: CustomStringConvertible {
  /// Those that returned earlier first.
  let operations: [HistoryOperation]
  /// The instances and failures that factories have yielded.
  let yielded: Set<Int>

  var description: String { operations.sorted { $0.begin < $1.begin }.map { "  \($0)" }.joined(separator: "\n") }
}

extension HistoryProgram {
  /// Leaves out what ends anything, so that what is kept stays.
  mutating func keepResolvesOnly() {
    for client in clients.indices { clients[client].removeAll { if case .resolve = $0 { false } else { true } } }
  }
}

extension HistoryProgram {
  static let found = [
    // A factory asks a container while that is closed with its parent: what stands there was said not to be registered.
    HistoryProgram(
      before: [
        .register(.b, HistoryPlan(number: 1, isAsynchronous: true), in: 1),
        .register(.keyedB, HistoryPlan(number: 2, part: .b), in: 1),
      ],
      clients: [[], [.shutDown(0)], [.resolve(.keyedB, from: 1, isAsynchronous: false)]])
  ]
}
