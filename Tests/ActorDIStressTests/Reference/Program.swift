/// A service in a program: one of three types, with a key or without.
struct ServiceName: Hashable, CustomStringConvertible {
  let type: Int
  let key: Int?
  var description: String { "\(["A", "B", "C"][type])\(key.map { "[\($0)]" } ?? "")" }
}

/// How a service is made.
struct ServicePlan: CustomStringConvertible {
  enum Keeping: Int, CaseIterable { case transient, graph, shared, singleton, scoped }

  let keeping: Keeping
  let parts: [ServiceName]
  /// What a hook asks for; nil without one.
  let later: [ServiceName]?
  let isAsynchronous: Bool
  /// How often the factory fails, or the hook if there is one, before it succeeds.
  let failures: Int

  var description: String {
    "\(keeping) of \(parts)\(later.map { ", later \($0)" } ?? "")\(isAsynchronous ? ", asynchronous" : "")\(failures > 0 ? ", fails \(failures) times" : "")"
  }
}

/// What a program does next. Containers and links are named by number, modulo how many there are by then.
enum Step {
  case register(ServiceName, ServicePlan, in: Int)
  case resolve(ServiceName, from: Int, isAsynchronous: Bool)
  case look(ServiceName, from: Int)
  case unregister(ServiceName, in: Int)
  case reset(ServiceName, in: Int)
  case resetAll(in: Int)
  case makeChild(of: Int)
  case link(Int, to: Int)
  case cancelLink(Int)
  case shutDown(Int)
}

/// Reads steps from bytes, whatever they are: random ones, or those of a fuzzer.
struct ProgramReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes)[...] }

  var program: [Step] {
    mutating get {
      var steps: [Step] = []
      while let step = next() { steps.append(step) }
      return steps
    }
  }

  private mutating func number(below limit: Int) -> Int { Int(bytes.popFirst() ?? 0) % limit }

  private mutating func name() -> ServiceName {
    ServiceName(type: number(below: 3), key: [nil, 1][number(below: 2)])
  }

  private mutating func plan() -> ServicePlan {
    let keeping = ServicePlan.Keeping.allCases[number(below: ServicePlan.Keeping.allCases.count)]
    let parts = (0..<[0, 0, 1, 1, 2, 3][number(below: 6)]).map { _ in name() }
    let later = (0..<[0, 0, 0, 1, 2][number(below: 5)]).map { _ in name() }
    return ServicePlan(
      keeping: keeping, parts: parts, later: later.isEmpty ? nil : later, isAsynchronous: number(below: 4) == 0,
      failures: [0, 0, 0, 1][number(below: 4)])
  }

  private mutating func next() -> Step? {
    guard let kind = bytes.popFirst() else { return nil }
    let container = number(below: 8)
    switch kind % 16 {
    case 0...3: return .register(name(), plan(), in: container)
    case 4...7: return .resolve(name(), from: container, isAsynchronous: true)
    case 8, 9: return .resolve(name(), from: container, isAsynchronous: false)
    case 10: return .look(name(), from: container)
    case 11: return [.unregister(name(), in: container), .reset(name(), in: container)][number(below: 2)]
    case 12: return number(below: 3) == 0 ? .resetAll(in: container) : .reset(name(), in: container)
    case 13: return .makeChild(of: container)
    case 14: return number(below: 4) == 0 ? .cancelLink(container) : .link(container, to: number(below: 8))
    default: return number(below: 3) == 0 ? .shutDown(container) : .makeChild(of: container)
    }
  }
}
