import ActorDI

/// A recorded event. It holds no error, because an error can hold anything.
struct EventRecord: Sendable {
  /// The kinds of events, with their names in the JSON.
  enum Kind: String, Sendable {
    case building, created, failed, waited, disposed, reset, opened, closed, other
  }

  let time: ContinuousClock.Instant
  let kind: Kind
  let service: ServiceName?
  let scope: Scope?
  let container: String
  let containerID: UInt64
  let buildID: UInt64?
  let steps: [ResolutionStep]
  let duration: Duration?
  /// How a scope has ended.
  let outcome: String?
  let error: String?

  init(_ event: ContainerEvent, showsErrorTexts: Bool) {
    time = .now
    kind = Kind(event.kind)
    service = event.service.map { ServiceName($0, event.key, event.arguments) }
    scope = event.scope
    container = event.container
    containerID = event.containerID
    buildID = event.buildID
    steps = event.steps
    duration = event.duration
    outcome = if case .closed(_, let outcome) = event.kind { outcome.name } else { nil }
    error = event.error.map { error in
      // The library's own errors contain types, keys and source locations only.
      error is ResolutionError || showsErrorTexts ? "\(error)" : TypeText.full(type(of: error))
    }
  }
}

extension EventRecord.Kind {
  init(_ kind: ContainerEvent.Kind) {
    self =
      switch kind {
      case .building: .building
      case .created: .created
      case .failed: .failed
      case .waited: .waited
      case .disposed: .disposed
      case .reset: .reset
      case .opened: .opened
      case .closed: .closed
      default: .other
      }
  }
}

/// The type, key and run-time arguments of a service.
struct ServiceName: Sendable, Hashable {
  let service: any Any.Type
  let key: (any Hashable & Sendable)?
  let arguments: [any Any.Type]

  init(_ service: any Any.Type, _ key: (any Hashable & Sendable)?, _ arguments: [any Any.Type]) {
    self.service = service
    self.key = key
    self.arguments = arguments
  }

  /// Includes the type of the key, because equal numbers of different types are different keys.
  private var types: [ObjectIdentifier] {
    ([service] + arguments + (key.map { [type(of: $0)] } ?? [])).map { ObjectIdentifier($0) }
  }
  private var hashableKey: AnyHashable? { key.map { AnyHashable($0) } }

  static func == (left: ServiceName, right: ServiceName) -> Bool {
    left.types == right.types && left.hashableKey == right.hashableKey
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(types)
    hasher.combine(hashableKey)
  }

  /// The service as in resolution paths.
  var text: String {
    var text = TypeText.short(service)
    if !arguments.isEmpty { text += "(" + arguments.map { TypeText.short($0) }.joined(separator: ", ") + ")" }
    switch key {
    case nil: break
    case let key as String: text += "[\"\(key)\"]"
    case let key?: text += "[\(key)]"
    }
    return text
  }
}

/// The names of types.
enum TypeText {
  /// A type's name as written in source, without its module.
  static func short(_ type: any Any.Type) -> String {
    let name = _typeName(type, qualified: false)
    // The runtime omits most `any`, but names an existential's metatype a protocol's.
    let isExistential = type != Any.self && _typeName(Swift.type(of: type), qualified: false).hasSuffix(".Protocol")
    return isExistential && !name.hasPrefix("any ") ? "any \(name)" : name
  }

  /// A type's name with its module. Omits the address by which the runtime names the context of a private type.
  static func full(_ type: any Any.Type) -> String {
    let parts = _typeName(type, qualified: true).split(
      separator: "(unknown context at $", omittingEmptySubsequences: false)
    return String(parts[0]) + parts.dropFirst().map { $0.drop { $0 != "." }.dropFirst() }.joined()
  }
}
