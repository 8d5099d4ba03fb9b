/// A service in a program: one of three types, or the protocol of all three, with a key or without, with a run-time argument or without.
struct ServiceName: Hashable, CustomStringConvertible {
  let type: Int
  let key: Int?
  let takesArgument: Bool
  var description: String {
    "\(["A", "B", "C", "P"][type])\(key.map { "[\($0)]" } ?? "")\(takesArgument ? "(Int)" : "")"
  }

  /// The protocol: it is found by what implements it.
  static var alias: Int { 3 }
  static func alias(key: Int?, takesArgument: Bool) -> ServiceName {
    ServiceName(type: alias, key: key, takesArgument: takesArgument)
  }
}

/// What is asked for.
enum Wish: CustomStringConvertible {
  case one(ServiceName, argument: Int)
  case all(type: Int)
  case byKey(type: Int)

  var type: Int {
    switch self {
    case .one(let name, _): name.type
    case .all(let type), .byKey(let type): type
    }
  }

  var description: String {
    switch self {
    case .one(let name, let argument): "\(name)\(name.takesArgument ? " with \(argument)" : "")"
    case .all(let type): "all \(["A", "B", "C", "P"][type])"
    case .byKey(let type): "all \(["A", "B", "C", "P"][type]) by key"
    }
  }
}

/// How a service is made.
struct ServicePlan: CustomStringConvertible {
  enum Keeping: Int, CaseIterable { case transient, graph, shared, singleton, scoped }

  let keeping: Keeping
  var parts: [Wish] = []
  /// What a hook asks for; nil without one.
  var later: [Wish]?
  var isAsynchronous = false
  /// How often the factory fails, or the hook if there is one, before it succeeds.
  var failures = 0
  /// The protocol that it implements, too.
  var alias: ServiceName?
  /// Whether each argument has an instance of its own.
  var isPerArgument = false

  var description: String {
    "\(keeping) of \(parts)" + (later.map { ", later \($0)" } ?? "") + (isAsynchronous ? ", asynchronous" : "")
      + (failures > 0 ? ", fails \(failures) times" : "") + (alias.map { ", implements \($0)" } ?? "")
      + (isPerArgument ? ", for each argument" : "")
  }
}

/// What a program does next. Containers and links are named by number, modulo how many there are by then.
enum Step {
  case register(ServiceName, ServicePlan, in: Int)
  case resolve(Wish, from: Int, isAsynchronous: Bool)
  /// A resolve that is cancelled while the factory runs; nothing if there would be no build that can be.
  case cancel(ServiceName, from: Int)
  /// A resolve, twice, with another registration in force.
  case override(ServiceName, ServicePlan.Keeping, in: Int)
  /// Wraps a service from now on, wherever the container finds it. Without a key, it wraps the service under every key.
  case decorate(type: Int, key: Int?, in: Int)
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
  /// A program with few names has more to do with each.
  private var (types, keys, argumentLists) = (3, 1, 1)

  init(_ bytes: some Collection<UInt8>) {
    self.bytes = Array(bytes)[...]
    types = number(below: 3) + 1
    keys = number(below: 2) + 1
    argumentLists = number(below: 2) + 1
  }

  var program: [Step] {
    mutating get {
      var steps: [Step] = []
      while let step = next() { steps.append(step) }
      return steps
    }
  }

  private mutating func number(below limit: Int) -> Int { Int(bytes.popFirst() ?? 0) % limit }

  private mutating func key() -> Int? { [nil, 1][number(below: keys)] }

  private mutating func name() -> ServiceName {
    ServiceName(type: number(below: types), key: key(), takesArgument: number(below: argumentLists) == 1)
  }

  /// The protocol may stand in the place of a type.
  private mutating func wishedName() -> ServiceName {
    let name = name()
    return number(below: 4) == 0 ? .alias(key: name.key, takesArgument: name.takesArgument) : name
  }

  private mutating func wish() -> Wish {
    let name = wishedName()
    return switch number(below: 10) {
    case 0: .all(type: name.type)
    case 1: .byKey(type: name.type)
    default: .one(name, argument: name.takesArgument ? number(below: 2) : 0)
    }
  }

  /// What takes an argument is made from what does not. So each circle has a service without, by which it is seen.
  private mutating func plan(of name: ServiceName) -> ServicePlan {
    let takesArgument = name.takesArgument
    func wishes(_ count: Int, _ reader: inout ProgramReader) -> [Wish] {
      (0..<count).map { _ in reader.wish() }.filter { wish in
        if case .one(let name, _) = wish { !takesArgument || !name.takesArgument } else { true }
      }
    }
    var plan = ServicePlan(keeping: ServicePlan.Keeping.allCases[number(below: ServicePlan.Keeping.allCases.count)])
    plan.parts = wishes([0, 0, 1, 1, 2, 3][number(below: 6)], &self)
    let later = wishes([0, 0, 0, 1, 2][number(below: 5)], &self)
    plan.later = later.isEmpty ? nil : later
    plan.isAsynchronous = number(below: 4) == 0
    plan.failures = [0, 0, 0, 1][number(below: 4)]
    if number(below: 3) == 0 { plan.alias = .alias(key: key() ?? name.key, takesArgument: name.takesArgument) }
    plan.isPerArgument = takesArgument && number(below: 2) == 0
    return plan
  }

  private mutating func next() -> Step? {
    guard let kind = bytes.popFirst() else { return nil }
    let container = number(below: 8)
    switch kind % 18 {
    case 0...3:
      let name = name()
      return .register(name, plan(of: name), in: container)
    case 4...7: return .resolve(wish(), from: container, isAsynchronous: true)
    case 8, 9: return .resolve(wish(), from: container, isAsynchronous: false)
    case 10: return .look(wishedName(), from: container)
    case 11: return [.unregister(name(), in: container), .reset(name(), in: container)][number(below: 2)]
    case 12: return number(below: 3) == 0 ? .resetAll(in: container) : .reset(name(), in: container)
    case 13: return .makeChild(of: container)
    case 14: return number(below: 4) == 0 ? .cancelLink(container) : .link(container, to: number(below: 8))
    case 15:
      let name = wishedName()
      let decoration = Step.decorate(type: name.type, key: name.key, in: container)
      return [.shutDown(container), .makeChild(of: container), decoration, decoration][number(below: 4)]
    case 16: return .cancel(name(), from: container)
    default:
      let keeping = ServicePlan.Keeping.allCases[number(below: ServicePlan.Keeping.allCases.count)]
      return .override(name(), keeping, in: container)
    }
  }
}
