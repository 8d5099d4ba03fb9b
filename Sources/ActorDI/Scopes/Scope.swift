/// The lifetime of an instance, and the container that keeps it.
///
/// | scope | one instance per | held |
/// | --- | --- | --- |
/// | ``transient`` | resolve | by the caller |
/// | ``graph`` | top-level resolve call | for the call |
/// | ``shared`` | lifetime of its users' references | weakly |
/// | ``singleton`` | owning container | strongly |
/// | ``scoped`` | container resolved from | strongly, by that container |
/// | ``scoped(_:)`` | nearest container of that name | strongly, by that container |
/// | ``pooled(max:)`` | container resolved from, checked out | strongly, by that container and then by the pool |
/// | ``managed(by:)`` | validity period of a ``ManagedScope`` | strongly, until then |
/// | ``automatic`` | as ``shared`` for class instances, else as ``transient`` | |
///
/// Every scope that keeps an instance builds it once, even if many tasks and threads resolve it at the same time.
public struct Scope: Sendable, Hashable, CustomStringConvertible {
  /// Fits one word, because each registration has one.
  private enum Kind: Sendable, Hashable {
    case transient, graph, shared, singleton, automatic
    case managed(ManagedScope)
    /// Kept by the container that is asked.
    case scoped
    /// Kept by the nearest container of the name.
    indirect case scopedByName(ScopeName)
    indirect case pooled(max: Int)
  }

  private let kind: Kind

  /// A new instance for each resolve.
  public static let transient = Scope(kind: .transient)

  /// One instance for each top-level resolve call. Everything built during the call shares it.
  public static let graph = Scope(kind: .graph)

  /// One instance as long as a caller or another service holds it. A value type cannot be held weakly, and behaves as
  /// ``transient``.
  public static let shared = Scope(kind: .shared)

  /// One instance for the container that owns the registration.
  public static let singleton = Scope(kind: .singleton)

  /// One instance for each container that is resolved from, in particular for each ``Container/withScope(_:_:operation:)``.
  ///
  /// The instance is built with the registrations of that container, so it can take services that only that container has, such as
  /// a request.
  public static let scoped = Scope(kind: .scoped)

  /// One instance for the nearest container of a name: the container that is resolved from, or one of its parents.
  ///
  /// The instance is built with the registrations of that container. If there is no such container, a resolve throws
  /// ``ResolutionError/Code/scopeNotFound``.
  ///
  /// A container below the named one may have the registration. When it ends or is released, no caller can resolve the instance any
  /// more, so the named container disposes of it and releases it.
  ///
  /// - Parameter name: The name of the container, as given to ``Container/withScope(_:_:operation:)`` or, as a `String`, to
  ///   ``Container/makeChild(name:configuration:_:)``.
  public static func scoped(_ name: ScopeName) -> Scope { Scope(kind: .scopedByName(name)) }

  /// One instance for each container that is resolved from, checked out of a pool and returned when that container is closed.
  ///
  /// Use it for services that are expensive to make and can be reused, such as connections. An instance is built with the
  /// registrations of the container that owns the registration.
  ///
  /// - Parameter max: The maximum number of idle instances; 0 or less for none. Instances returned beyond that are disposed of.
  public static func pooled(max: Int) -> Scope { Scope(kind: .pooled(max: max)) }

  /// ``shared`` for class instances, ``transient`` otherwise.
  public static let automatic = Scope(kind: .automatic)

  /// One instance for each validity period of a managed scope.
  ///
  /// - Parameter scope: The managed scope, which determines when the period ends. The registration keeps it alive.
  public static func managed(by scope: ManagedScope) -> Scope { Scope(kind: .managed(scope)) }

  /// The scope's name.
  public var description: String {
    switch kind {
    case .managed(let scope): "managed(\"\(scope.name)\")"
    case .scopedByName(let name): "scoped(\"\(name)\")"
    case .pooled(let max): "pooled(max: \(max))"
    case .transient, .graph, .shared, .singleton, .automatic, .scoped: "\(kind)"
    }
  }

  // MARK: Policies

  /// All differences between scopes, except for associated values. No other code distinguishes scopes.
  struct Policy {
    /// The keeper of an instance.
    enum Keeper {
      /// The caller: the container keeps no reference.
      case caller
      /// The call tree in which the instance is built.
      case call
      /// The container that owns the registration.
      case owner
      /// The container that is asked.
      case asked
      /// The nearest container of a name, beginning with the one that is asked.
      case named
    }

    let keeper: Keeper
    /// Whether instances are held weakly.
    var isWeak = false
    /// Whether an instance is built with the registrations of the container that owns the registration. Otherwise with those of the
    /// container that keeps the instance or is asked.
    var isBuiltByOwner = false
    /// Whether an instance is simply kept from the end of its build, without further rules.
    var isPlain = false
    /// Whether an asynchronous build sees the task-locals of the caller that began it. False if the instance may outlive all its
    /// callers.
    var seesCaller = true

    var isTransient: Bool { keeper == .caller }

    /// Whether the call tree that builds the instance keeps it.
    var isKeptByCall: Bool { keeper == .call }

    /// Whether an instance outlives the call that has built it.
    var isKept: Bool { !isTransient && !isKeptByCall }

    /// Whether the container that is asked keeps the instance, or a parent that the scope names.
    var isKeptPerContainer: Bool { keeper == .asked || keeper == .named }

    /// Whether a certain container keeps the instance for all containers at or below it that may be asked.
    var isKeptByFixedContainer: Bool { keeper == .owner || keeper == .named }
  }

  var policy: Policy {
    switch kind {
    case .transient: Policy(keeper: .caller)
    case .graph: Policy(keeper: .call)
    case .shared, .automatic: Policy(keeper: .owner, isWeak: true, isBuiltByOwner: true, seesCaller: false)
    case .singleton: Policy(keeper: .owner, isBuiltByOwner: true, isPlain: true, seesCaller: false)
    case .managed: Policy(keeper: .owner, isBuiltByOwner: true)
    case .scoped: Policy(keeper: .asked, isPlain: true)
    case .scopedByName: Policy(keeper: .named, isPlain: true)
    case .pooled: Policy(keeper: .asked, isBuiltByOwner: true)
    }
  }

  /// The name of the container that keeps the instance, if the scope names one.
  var containerName: String? { if case .scopedByName(let name) = kind { name.description } else { nil } }

  /// The validity periods of a managed scope; nil for other scopes.
  var periods: ValidityPeriods? { if case .managed(let scope) = kind { scope.periods } else { nil } }

  /// The maximum number of idle instances in the pool; nil if the scope is not pooled.
  var poolLimit: Int? { if case .pooled(let max) = kind { max } else { nil } }
}
