/// An ordered collection of registrations, as composed by a builder.
public struct Registrations: Sendable {
  private var content: Content

  /// Each expression of a builder makes a collection, and most have a single registration, which needs no list.
  private enum Content {
    case nothing
    case single(Binding)
    case list(List)
  }

  /// `@unchecked Sendable` because it is changed only while a single collection refers to it.
  private final class List: @unchecked Sendable {
    var bindings: [Binding]
    var decorators: [Decorator] = []
    /// The modules whose `didLoad` runs once their batch is registered.
    var modules: [any Module] = []

    init(_ bindings: [Binding]) { self.bindings = bindings }

    init(copying other: List) {
      bindings = other.bindings
      decorators = other.decorators
      modules = other.modules
    }
  }

  /// Creates an empty collection.
  public init() { content = .nothing }

  /// Creates a collection with a builder.
  ///
  /// - Parameter registrations: See ``RegistrationBuilder``.
  public init(@RegistrationBuilder _ registrations: () -> Registrations) { self = registrations() }

  @usableFromInline
  init(_ binding: consuming Binding) { content = .single(binding) }

  init(_ decorator: Decorator) {
    let list = List([])
    list.decorators = [decorator]
    content = .list(list)
  }

  /// The number of registrations.
  public var count: Int {
    switch content {
    case .nothing: 0
    case .single: 1
    case .list(let list): list.bindings.count
    }
  }

  /// Whether the collection has no registrations.
  public var isEmpty: Bool { count == 0 }

  var modules: [any Module] { if case .list(let list) = content { list.modules } else { [] } }
  var decorators: [Decorator] { if case .list(let list) = content { list.decorators } else { [] } }

  /// Appends registrations to the collection.
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
        if !others.decorators.isEmpty { $0.decorators += others.decorators }
        if !others.modules.isEmpty { $0.modules += others.modules }
      }
    }
  }

  mutating func append(_ module: any Module) { changeList { $0.modules.append(module) } }

  /// The content of a collection for a container to register.
  struct Batch {
    var bindings: [Binding]
    let decorators: [Decorator]
    let modules: [any Module]

    /// Whether a registration or the batch states a decorator.
    var hasDecorators: Bool {
      !decorators.isEmpty || bindings.indices.contains { !bindings[$0].descriptor.decorators.isEmpty }
    }
  }

  /// Takes the modules, the decorators, and the registrations whose conditions hold. Runs the conditions.
  consuming func takeWanted() -> Batch {
    let modules = modules
    let decorators = decorators
    var bindings = takeBindings()
    if bindings.contains(where: \.hasConditions) { bindings.removeAll { !$0.isWanted } }
    return Batch(bindings: bindings, decorators: decorators, modules: modules)
  }

  /// Returns the registrations completed with the scope and key of a ``RegistrationGroup``.
  consuming func completed(scope: Scope?, key: Key?) -> Registrations {
    changeList { list in
      for index in list.bindings.indices { Binding.complete(&list.bindings[index], scope: scope, key: key) }
    }
    return self
  }

  /// Takes the bindings out of the collection, so that it no longer refers to them.
  private consuming func takeBindings() -> [Binding] {
    switch take() {
    case .nothing: return []
    case .single(let binding): return [binding]
    case .list(var list):
      return isKnownUniquelyReferenced(&list) ? exchange(&list.bindings, with: []) : list.bindings
    }
  }

  private mutating func changeList(_ change: (List) -> Void) {
    let list: List
    switch take() {
    case .nothing: list = List([])
    case .single(let binding): list = List([binding])
    case .list(var old): list = isKnownUniquelyReferenced(&old) ? old : List(copying: old)
    }
    change(list)
    content = .list(list)
  }

  /// Takes the content out of the collection, so that the caller has the only reference to it.
  private mutating func take() -> Content { exchange(&content, with: .nothing) }

  /// Concatenates collections.
  fileprivate init(joining parts: [Registrations]) {
    var bindings: [Binding] = []
    bindings.reserveCapacity(parts.count)
    // Consumed, since the list appends in place only while nothing else refers to the array.
    content = .list(List(consume bindings))
    for part in parts { append(part) }
  }
}

/// A result builder that composes ``Registrations`` from registrations, modules, groups and plain values.
///
/// It supports `if`, `switch`, `for` and `#available`, lists of registrations and of modules, and ``Decorator`` as an expression. A plain
/// value, such as `SystemTime()`, registers its own type; the expression is evaluated when the service is resolved.
@resultBuilder
public enum RegistrationBuilder {
  // Disfavoured, like the forms for groups, modules and values. Nearly all expressions are single registrations, and their
  // type check then ends without these forms. Otherwise it would try each form with all overloads of a modifier.

  /// Includes registrations that were composed elsewhere.
  @_disfavoredOverload
  public static func buildExpression(_ registrations: Registrations) -> Registrations { registrations }

  /// Includes the registrations of several collections, in order.
  @_disfavoredOverload
  public static func buildExpression(_ registrations: [Registrations]) -> Registrations { buildArray(registrations) }

  /// Builds a block with one statement.
  @inlinable
  public static func buildBlock(_ part: consuming Registrations) -> Registrations { part }

  /// Builds a block from its statements, in order.
  ///
  /// One call for the whole block: with a `buildPartialBlock` call per statement, type checking would take twice as
  /// long.
  public static func buildBlock(_ parts: Registrations...) -> Registrations { Registrations(joining: parts) }

  /// Builds a `for` loop.
  public static func buildArray(_ parts: [Registrations]) -> Registrations { Registrations(joining: parts) }

  /// Builds an `if` without `else`.
  public static func buildOptional(_ part: Registrations?) -> Registrations { part ?? Registrations() }

  /// Builds the first branch of an `if` or `switch`.
  public static func buildEither(first part: Registrations) -> Registrations { part }
  /// Builds another branch of an `if` or `switch`.
  public static func buildEither(second part: Registrations) -> Registrations { part }
  /// Builds an `if #available`.
  public static func buildLimitedAvailability(_ part: Registrations) -> Registrations { part }
}

// MARK: - Modules

/// A set of registrations that belong together, as a type of its own.
///
/// ```swift
/// struct MetricsModule: Module {
///   var registrations: Registrations {
///     Registration(autowired: (any Statistics).self, scope: .singleton) { StatsD() }
///   }
/// }
///
/// let container = Container { MetricsModule() }
/// ```
public protocol Module: Sendable {
  /// The registrations of the module.
  @RegistrationBuilder var registrations: Registrations { get }

  /// Runs after all registrations of the batch are registered, so services of other modules can be resolved.
  ///
  /// - Parameter container: The container in which the batch was registered.
  /// - Throws: Any error; the registrations stay. The call that registers the batch throws it, and so does
  ///   ``Container/withScope(_:_:operation:)``, which then does not run its operation. For the initial registrations of a container, a child
  ///   or a scope of ``KeyedScopes``, ``Container/waitUntilLoaded()`` throws it.
  func didLoad(_ container: Container) async throws
}

extension Module {
  /// Does nothing.
  public func didLoad(_ container: Container) async throws {}
}

extension RegistrationBuilder {
  /// Includes the registrations of a module. Its ``Module/didLoad(_:)`` runs once the whole batch is registered.
  @_disfavoredOverload
  public static func buildExpression(_ module: some Module) -> Registrations {
    var registrations = module.registrations
    registrations.append(module)
    return registrations
  }

  /// Includes the registrations of a module, or nothing for nil.
  @_disfavoredOverload
  public static func buildExpression(_ module: (any Module)?) -> Registrations {
    buildOptional(module.map { buildExpression($0) })
  }

  /// Includes the registrations of modules of one type, in order.
  @_disfavoredOverload
  public static func buildExpression<Part: Module>(_ modules: [Part]) -> Registrations {
    buildArray(modules.map { buildExpression($0) })
  }

  /// Includes the registrations of modules, in order.
  @_disfavoredOverload
  public static func buildExpression(_ modules: [any Module]) -> Registrations {
    buildArray(modules.map { buildExpression($0) })
  }
}
