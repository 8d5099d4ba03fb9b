/// A service in a program: one of three types, or the protocol of all three, with a key or without, with a run-time argument or without.
struct ServiceName: Hashable, CustomStringConvertible {
  let type: Int
  let key: Int?
  let takesArgument: Bool
  var description: String {
    "\(["A", "B", "C", "P"][type])\(key.map { "[\($0)]" } ?? "")\(takesArgument ? "(Int)" : "")"
  }

  /// The protocol of all three types. Registrations implement it.
  static var alias: Int { 3 }
  static func alias(key: Int?, takesArgument: Bool) -> ServiceName {
    ServiceName(type: alias, key: key, takesArgument: takesArgument)
  }
}

/// A service or collection that a caller resolves.
enum Request: CustomStringConvertible {
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

/// A plan of a registration: its scope, dependencies and failures.
struct ServicePlan: CustomStringConvertible {
  enum ScopeKind: Int, CaseIterable { case transient, graph, shared, singleton, scoped }

  let scope: ScopeKind
  /// The services that the factory resolves.
  var dependencies: [Request] = []
  /// The services that a hook resolves; nil without a hook.
  var hookDependencies: [Request]?
  var isAsynchronous = false
  /// The number of failures before the factory, or the hook if there is one, succeeds.
  var failures = 0
  /// The protocol that the registration implements; nil without one.
  var alias: ServiceName?
  /// Whether the service has an instance per argument.
  var isPerArgument = false

  var description: String {
    "\(scope), needs \(dependencies)" + (hookDependencies.map { ", hook needs \($0)" } ?? "")
      + (isAsynchronous ? ", asynchronous" : "")
      + (failures > 0 ? ", fails \(failures) times" : "") + (alias.map { ", implements \($0)" } ?? "")
      + (isPerArgument ? ", per argument" : "")
  }
}

/// An operation of a program. A number names a container or link, modulo their current count.
enum Step {
  case register(ServiceName, ServicePlan, in: Int)
  case resolve(Request, from: Int, isAsynchronous: Bool)
  /// A resolve that is cancelled while the factory runs. Does nothing if the resolve would start no cancellable build.
  case cancel(ServiceName, from: Int)
  /// Two resolves under an override.
  case override(ServiceName, ServicePlan.ScopeKind, in: Int)
  /// Decorates a service for a container. Without a key, the decorator applies to every key.
  case decorate(type: Int, key: Int?, in: Int)
  case inspect(ServiceName, from: Int)
  case unregister(ServiceName, in: Int)
  case reset(ServiceName, in: Int)
  case resetAll(in: Int)
  case makeChild(of: Int)
  case link(Int, to: Int)
  case cancelLink(Int)
  case shutDown(Int)
}

/// Reads steps from random bytes, or from those of a fuzzer.
struct ProgramReader {
  private var bytes: ArraySlice<UInt8>
  /// The numbers of types, keys and argument lists. A program with few names has more steps for each.
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

  /// Reads a name, which can be the protocol in place of a type.
  private mutating func requestedName() -> ServiceName {
    let name = name()
    return number(below: 4) == 0 ? .alias(key: name.key, takesArgument: name.takesArgument) : name
  }

  private mutating func request() -> Request {
    let name = requestedName()
    return switch number(below: 10) {
    case 0: .all(type: name.type)
    case 1: .byKey(type: name.type)
    default: .one(name, argument: name.takesArgument ? number(below: 2) : 0)
    }
  }

  /// Reads a plan. A service with an argument depends only on services without, so each cycle contains a service without argument,
  /// by which the container detects it.
  private mutating func plan(of name: ServiceName) -> ServicePlan {
    let takesArgument = name.takesArgument
    func requests(_ count: Int, _ reader: inout ProgramReader) -> [Request] {
      (0..<count).map { _ in reader.request() }.filter { request in
        if case .one(let name, _) = request { !takesArgument || !name.takesArgument } else { true }
      }
    }
    var plan = ServicePlan(scope: ServicePlan.ScopeKind.allCases[number(below: ServicePlan.ScopeKind.allCases.count)])
    plan.dependencies = requests([0, 0, 1, 1, 2, 3][number(below: 6)], &self)
    let hookRequests = requests([0, 0, 0, 1, 2][number(below: 5)], &self)
    plan.hookDependencies = hookRequests.isEmpty ? nil : hookRequests
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
    case 4...7: return .resolve(request(), from: container, isAsynchronous: true)
    case 8, 9: return .resolve(request(), from: container, isAsynchronous: false)
    case 10: return .inspect(requestedName(), from: container)
    case 11: return [.unregister(name(), in: container), .reset(name(), in: container)][number(below: 2)]
    case 12: return number(below: 3) == 0 ? .resetAll(in: container) : .reset(name(), in: container)
    case 13: return .makeChild(of: container)
    case 14: return number(below: 4) == 0 ? .cancelLink(container) : .link(container, to: number(below: 8))
    case 15:
      let name = requestedName()
      let decoration = Step.decorate(type: name.type, key: name.key, in: container)
      return [.shutDown(container), .makeChild(of: container), decoration, decoration][number(below: 4)]
    case 16: return .cancel(name(), from: container)
    default:
      let scope = ServicePlan.ScopeKind.allCases[number(below: ServicePlan.ScopeKind.allCases.count)]
      return .override(name(), scope, in: container)
    }
  }
}
