/// An ordered collection of registrations, as the builder makes it.
public struct Registrations: Sendable {
  private var content: Content

  /// One word: each expression of a builder makes one of it, and most of these are of one registration, which needs no list.
  private enum Content {
    case nothing
    case single(Binding)
    case list(List)
  }

  /// `@unchecked Sendable` because it changes only while one collection refers to it.
  private final class List: @unchecked Sendable {
    var bindings: [Binding]
    /// Modules to be told when the batch that they came with has been registered.
    var modules: [any Module]

    init(_ bindings: [Binding], _ modules: [any Module] = []) {
      self.bindings = bindings
      self.modules = modules
    }
  }

  /// No registrations.
  public init() { content = .nothing }

  /// Registrations, composed by a builder.
  ///
  /// - Parameter registrations: see ``RegistrationBuilder``.
  public init(@RegistrationBuilder _ registrations: () -> Registrations) {
    self = registrations()
  }

  @usableFromInline
  init(_ binding: consuming Binding) { content = .single(binding) }

  /// How many registrations there are.
  public var count: Int {
    switch content {
    case .nothing: 0
    case .single: 1
    case .list(let list): list.bindings.count
    }
  }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  var modules: [any Module] { if case .list(let list) = content { list.modules } else { [] } }

  /// Whether they are of different identities, and say nothing but what factories there are.
  var isOfFactoriesAlone: Bool {
    func isPlain(_ binding: Binding) -> Bool { !binding.descriptor.saysMore && !binding.descriptor.nature.isEager }
    switch content {
    case .nothing: return true
    case .single(let binding): return isPlain(binding)
    case .list(let list):
      return list.bindings.indices.allSatisfy { index in
        isPlain(list.bindings[index])
          && list.bindings[..<index].allSatisfy { !$0.identity.isSame(as: list.bindings[index].identity) }
      }
    }
  }

  /// Adds registrations behind those that are there.
  public mutating func append(_ other: Registrations) {
    if case .nothing = content {
      content = other.content
      return
    }
    switch other.content {
    case .nothing: return
    case .single(let binding): changeList { $0.bindings.append(binding) }
    case .list(let others):
      changeList {
        $0.bindings += others.bindings
        if !others.modules.isEmpty { $0.modules += others.modules }
      }
    }
  }

  mutating func append(_ module: any Module) { changeList { $0.modules.append(module) } }

  /// Those whose conditions hold. Runs the conditions.
  consuming func takeWanted() -> [Binding] {
    var bindings = takeBindings()
    if bindings.contains(where: { $0.descriptor.saysMore && !$0.descriptor.conditions.isEmpty }) {
      bindings.removeAll { !$0.isWanted }
    }
    return bindings
  }

  /// With each registration completed by what a ``RegistrationGroup`` says.
  consuming func completed(scope: Scope?, key: Key?) -> Registrations {
    let modules = modules
    var bindings = takeBindings()
    for index in bindings.indices { Binding.complete(&bindings[index], scope: scope, key: key) }
    var completed = Registrations()
    completed.content = .list(List(bindings, modules))
    return completed
  }

  /// Takes them away from the collection, so that nothing else refers to them.
  private consuming func takeBindings() -> [Binding] {
    switch take() {
    case .nothing: return []
    case .single(let binding): return [binding]
    case .list(var list):
      guard isKnownUniquelyReferenced(&list) else { return list.bindings }
      let bindings = list.bindings
      list.bindings = []
      return bindings
    }
  }

  private mutating func changeList(_ change: (List) -> Void) {
    let list: List
    switch take() {
    case .nothing: list = List([])
    case .single(let binding): list = List([binding])
    case .list(var old): list = isKnownUniquelyReferenced(&old) ? old : List(old.bindings, old.modules)
    }
    change(list)
    content = .list(list)
  }

  /// Leaves nothing here, so that what is looked at has no second reference.
  private mutating func take() -> Content {
    let taken = content
    content = .nothing
    return taken
  }

  /// One after the other.
  fileprivate init(joining parts: [Registrations]) {
    var bindings: [Binding] = []
    var modules: [any Module] = []
    bindings.reserveCapacity(parts.count)
    for index in parts.indices {
      switch parts[index].content {
      case .nothing: break
      case .single(let binding): bindings.append(binding)
      case .list(let list):
        bindings += list.bindings
        if !list.modules.isEmpty { modules += list.modules }
      }
    }
    content = .list(List(bindings, modules))
  }
}

/// Composes ``Registrations`` from registrations, modules, groups and plain values, with `if`, `switch`, `for` and
/// `#available`.
///
/// A plain value, such as `SystemClock()`, is a registration of its own type, evaluated when it is resolved.
@resultBuilder
public enum RegistrationBuilder {
  /// Registrations composed elsewhere.
  public static func buildExpression(_ registrations: Registrations) -> Registrations {
    registrations
  }

  /// A block of one statement.
  @inlinable
  public static func buildBlock(_ part: consuming Registrations) -> Registrations { part }

  /// The statements of a block, in order.
  ///
  /// One call for the whole block: with `buildPartialBlock`, a call for each statement, the type checker would take twice as long.
  public static func buildBlock(_ parts: Registrations...) -> Registrations { Registrations(joining: parts) }

  /// `for`.
  public static func buildArray(_ parts: [Registrations]) -> Registrations { Registrations(joining: parts) }

  /// `if` without `else`.
  public static func buildOptional(_ part: Registrations?) -> Registrations {
    part ?? Registrations()
  }

  /// `if` and `switch`.
  public static func buildEither(first part: Registrations) -> Registrations { part }
  /// `else` and `switch`.
  public static func buildEither(second part: Registrations) -> Registrations { part }
  /// `if #available`.
  public static func buildLimitedAvailability(_ part: Registrations) -> Registrations { part }
}

// MARK: - Modules

/// Registrations that belong together, as a type of its own.
///
/// ```swift
/// struct MetricsModule: Module {
///   var registrations: Registrations {
///     Registration((any Metrics).self, scope: .singleton) { _ in StatsD() }
///   }
/// }
///
/// let container = Container { MetricsModule() }
/// ```
public protocol Module: Sendable {
  /// What the module registers.
  @RegistrationBuilder var registrations: Registrations { get }

  /// Runs when everything in the same batch is registered: other modules' services can be resolved.
  ///
  /// - Parameter container: the container that was registered in.
  /// - Throws: whatever makes the registration fail for its caller; what was registered stays.
  func didLoad(_ container: Container) async throws
}

extension Module {
  /// Nothing to do.
  public func didLoad(_ container: Container) async throws {}
}

extension RegistrationBuilder {
  /// What a module registers; it is told when all of the batch is registered.
  public static func buildExpression(_ module: some Module) -> Registrations {
    var registrations = module.registrations
    registrations.append(module)
    return registrations
  }
}
