/// How long an instance is kept, and by whom.
///
/// | scope | one instance per | held |
/// | --- | --- | --- |
/// | ``transient`` | resolve | by the caller |
/// | ``graph`` | top-level resolve call | for the call |
/// | ``shared`` | the time that someone holds it | weakly |
/// | ``singleton`` | owning container | strongly |
/// | ``scoped`` | container resolved from | strongly, by that container |
/// | ``scoped(_:)`` | nearest container of that name | strongly, by that container |
/// | ``pooled(max:)`` | container resolved from, lent | strongly, by that container and then by the pool |
/// | ``managed(by:)`` | validity period of a ``ManagedScope`` | strongly, until then |
/// | ``automatic`` | as ``shared`` for class instances, else as ``transient`` | |
///
/// Whatever keeps an instance builds it once, however many tasks and threads ask for it at the same time.
public struct Scope: Sendable, Hashable, CustomStringConvertible {
  /// One word: each registration has one.
  private enum Kind: Sendable, Hashable {
    case transient, graph, shared, singleton, automatic
    case managed(ManagedScope)
    /// By the container that is asked, whatever its name.
    case scoped
    /// By the nearest container of the name.
    indirect case scopedByName(String)
    indirect case pooled(max: Int)
  }

  private let kind: Kind

  private init(kind: Kind) { self.kind = kind }

  /// A new instance for each resolve.
  public static let transient = Scope(kind: .transient)

  /// One instance for each top-level resolve call: all that is built in the course of the call shares it.
  public static let graph = Scope(kind: .graph)

  /// One instance as long as someone holds it. A value type cannot be held weakly, and behaves as ``transient``.
  public static let shared = Scope(kind: .shared)

  /// One instance for the container in which the registration stands.
  public static let singleton = Scope(kind: .singleton)

  /// One instance for each container that is resolved from: above all, for each ``Container/withScope(_:_:operation:)``.
  ///
  /// It is built with the registrations of that container, and so can take what only that one has, such as a request.
  public static let scoped = Scope(kind: .scoped)

  /// One instance for the nearest container of a name: the one that is resolved from, or one of its parents.
  ///
  /// It is built with the registrations of that container.
  ///
  /// - Parameter name: the name of the container, as given to ``Container/withScope(_:_:operation:)`` or
  ///   ``Container/makeChild(name:configuration:_:)``. Where there is none, a resolve throws ``ResolutionError/Code/scopeNotFound``.
  public static func scoped(_ name: String) -> Scope {
    Scope(kind: .scopedByName(name))
  }

  /// One instance for each container that is resolved from, which gives it back when it is closed: the next one takes it over.
  ///
  /// For what is dear to make and can be used by one after the other, as connections. It is built with the registrations of the
  /// container in which its own registration stands.
  ///
  /// - Parameter max: how many instances wait in the pool at most; 0 or less for none. What is given back beyond that is disposed of.
  public static func pooled(max: Int) -> Scope {
    Scope(kind: .pooled(max: max))
  }

  /// ``shared`` where the instance is of a class, ``transient`` otherwise.
  public static let automatic = Scope(kind: .automatic)

  /// One instance for each validity period of a managed scope.
  ///
  /// - Parameter scope: says when the period ends. It is kept alive by the registrations that are in it.
  public static func managed(by scope: ManagedScope) -> Scope {
    Scope(kind: .managed(scope))
  }

  /// The scope's name.
  public var description: String {
    switch kind {
    case .managed(let scope): "managed(\"\(scope.name)\")"
    case .scopedByName(let name): "scoped(\"\(name)\")"
    case .pooled(let max): "pooled(max: \(max))"
    case .transient, .graph, .shared, .singleton, .automatic, .scoped: "\(kind)"
    }
  }
}

// MARK: - What it says of instances

extension Scope {
  /// All in which scopes differ, but for the values that some of them have. Nobody else asks which scope it is.
  struct Policy {
    /// Who keeps an instance.
    enum Keeper {
      case nobody
      /// The call tree that it is built in.
      case call
      /// The container in which the registration stands.
      case owner
      /// The container that is asked.
      case asker
      /// The nearest container of a name, from the one that is asked.
      case named
    }

    let keeper: Keeper
    /// Whether instances are held weakly.
    var isWeak = false
    /// Whether an instance is built with the registrations of the container in which its own registration stands, rather than with
    /// those of the one that keeps it or is asked.
    var isBuiltByOwner = false
    /// Whether an instance is kept from the end of its build on, and nothing else comes into it.
    var isPlain = false
    /// Whether an asynchronous build sees the task-locals of the caller who has begun it. Not where the instance may outlive all of its callers.
    var seesCaller = true
  }

  var policy: Policy {
    switch kind {
    case .transient: Policy(keeper: .nobody)
    case .graph: Policy(keeper: .call)
    case .shared, .automatic: Policy(keeper: .owner, isWeak: true, isBuiltByOwner: true, seesCaller: false)
    case .singleton: Policy(keeper: .owner, isBuiltByOwner: true, isPlain: true, seesCaller: false)
    case .managed: Policy(keeper: .owner, isBuiltByOwner: true)
    case .scoped: Policy(keeper: .asker, isPlain: true)
    case .scopedByName: Policy(keeper: .named, isPlain: true)
    case .pooled: Policy(keeper: .asker, isBuiltByOwner: true)
    }
  }

  var keeper: Policy.Keeper { policy.keeper }
  var isWeak: Bool { policy.isWeak }
  var isBuiltByOwner: Bool { policy.isBuiltByOwner }
  var isPlainlyKept: Bool { policy.isPlain }
  var isTransient: Bool { keeper == .nobody }

  /// Whether an instance outlives the call that built it.
  var isKept: Bool { keeper != .nobody && keeper != .call }

  /// Whether the container that is asked keeps the instance, or one above it that the scope names.
  var isKeptByAsker: Bool { keeper == .asker || keeper == .named }

  /// Whether an asynchronous build sees the task-locals of the caller who has begun it.
  var seesCaller: Bool { policy.seesCaller }

  /// The name of the container that keeps the instance, where it goes by that.
  var containerName: String? {
    if case .scopedByName(let name) = kind { name } else { nil }
  }

  /// What says how long an instance may be kept; nil for one that is kept until it is reset.
  var periods: ValidityPeriods? {
    if case .managed(let scope) = kind { scope.periods } else { nil }
  }

  /// How many instances wait to be lent; nil for what is not pooled.
  var poolLimit: Int? {
    if case .pooled(let max) = kind { max } else { nil }
  }
}
