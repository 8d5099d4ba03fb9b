/// The status of an open scope of ``KeyedScopes`` at one moment.
struct KeyedScopeStatus: Sendable {
  let key: Key

  /// The number of operations in progress.
  let uses: Int

  /// The time since the end of the last operation; nil unless the scope is idle.
  let idleFor: Duration?
}
