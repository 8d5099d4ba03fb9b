/// How long an instance is kept, and by whom.
///
/// | scope | one instance per | held |
/// | --- | --- | --- |
/// | ``transient`` | resolve | by the caller |
/// | ``graph`` | top-level resolve call | for the call |
/// | ``shared`` | the time that someone holds it | weakly |
/// | ``singleton`` | owning container | strongly |
/// | ``automatic`` | as ``shared`` for class instances, else as ``transient`` | |
///
/// Whatever keeps an instance builds it once, however many tasks and threads ask for it at the same time.
public struct Scope: Sendable, Hashable, CustomStringConvertible {
  enum Kind: UInt8, Sendable, Hashable {
    case transient, graph, shared, singleton, automatic
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

  /// The scope's name.
  public var description: String { "\(kind)" }

  /// Whether an instance outlives the call that built it. It is then built with the registrations of the
  /// container in which its own registration stands.
  var isKept: Bool {
    switch kind {
    case .transient, .graph: false
    case .shared, .singleton, .automatic: true
    }
  }

  /// Whether instances are held weakly.
  var isWeak: Bool { kind == .shared || kind == .automatic }
}
