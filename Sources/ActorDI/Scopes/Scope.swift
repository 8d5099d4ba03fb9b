/// How long an instance is kept, and by whom.
///
/// | scope | one instance per | held |
/// | --- | --- | --- |
/// | ``transient`` | resolve | by the caller |
/// | ``graph`` | top-level resolve call | for the call |
/// | ``shared`` | the time that someone holds it | weakly |
/// | ``singleton`` | owning container | strongly |
/// | ``managed(by:)`` | validity period of a ``ManagedScope`` | strongly, until then |
/// | ``automatic`` | as ``shared`` for class instances, else as ``transient`` | |
///
/// Whatever keeps an instance builds it once, however many tasks and threads ask for it at the same time.
public struct Scope: Sendable, Hashable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    case transient, graph, shared, singleton, automatic
    case managed(ManagedScope)
  }

  let kind: Kind

  /// A new instance for each resolve.
  public static let transient = Scope(kind: .transient)

  /// One instance for each top-level resolve call: all that is built in the course of the call shares it.
  public static let graph = Scope(kind: .graph)

  /// One instance as long as someone holds it. A value type cannot be held weakly, and behaves as ``transient``.
  public static let shared = Scope(kind: .shared)

  /// One instance for the container in which the registration stands.
  public static let singleton = Scope(kind: .singleton)

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
    case .transient, .graph, .shared, .singleton, .automatic: "\(kind)"
    }
  }

  /// Whether an instance outlives the call that built it. It is then built with the registrations of the
  /// container in which its own registration stands.
  var isKept: Bool {
    switch kind {
    case .transient, .graph: false
    case .shared, .singleton, .automatic, .managed: true
    }
  }

  /// Whether instances are held weakly.
  var isWeak: Bool {
    switch kind {
    case .shared, .automatic: true
    case .transient, .graph, .singleton, .managed: false
    }
  }

  /// What says how long an instance may be kept; nil for one that is kept until it is reset.
  var periods: ValidityPeriods? {
    if case .managed(let scope) = kind { scope.periods } else { nil }
  }

  var isTransient: Bool {
    if case .transient = kind { true } else { false }
  }
}
