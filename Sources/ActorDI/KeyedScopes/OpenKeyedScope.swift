/// An open scope of a ``KeyedScopes``; see ``KeyedScopes/open``.
public struct OpenKeyedScope<Key: Hashable & Sendable>: Sendable, CustomStringConvertible {
  /// The key of the scope.
  public let key: Key

  /// How long the scope has been open, by ``Container/Configuration/clock``.
  public let age: Duration

  /// The number of operations in progress, and of extensions. Those of scopes below are not among them.
  public let uses: Int

  /// The time since the end of the last operation, by ``Container/Configuration/clock``; nil while an operation is in progress in the
  /// scope or below it.
  public let idleFor: Duration?

  /// One line of text, such as `tenant-1, open for 12.3 s, 2 uses`.
  public var description: String {
    let use = idleFor.map { "idle for \($0.brief)" } ?? "\(uses) \(uses == 1 ? "use" : "uses")"
    return "\(key), open for \(age.brief), \(use)"
  }
}
