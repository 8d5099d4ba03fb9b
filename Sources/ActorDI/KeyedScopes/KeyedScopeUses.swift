/// The operations of a key's scope, for the end of the scope.
final class KeyedScopeUses: ScopeUses {
  private let entry: KeyTable.Entry
  private let scopes: ScopesByKey

  init(of entry: KeyTable.Entry, in scopes: ScopesByKey) {
    self.entry = entry
    self.scopes = scopes
  }

  private func withTable<Result: Sendable>(_ body: (inout KeyTable) -> Result) -> Result {
    scopes.withTable(of: entry.word, body)
  }

  var operations: [ScopeOperation] {
    let container = scopes.container.name
    return withTable { table in
      guard let scope = entry.scope else { return [] }
      return table.operations(of: entry) {
        ScopeOperation(by: $0, in: OpenScope(scope.lifecycle, in: container), usedBy: self)
      }
    }
  }

  var status: KeyedScopeStatus {
    let now = scopes.stopwatch.elapsed
    return withTable { $0.status(of: entry, at: now) }
  }

  var isUsedByCaller: Bool { withTable { _ in entry.operations.isRun(by: TaskAddress.current) } }

  func beginEnding() { withTable { _ = $0.beginEnding(entry) } }

  func refuseOpenings() { scopes.seats?.dismissWaiters() }

  func extend() -> RestOfOperation? {
    guard let use = scopes.extend(entry) else { return nil }
    return { [scopes] in await scopes.leave(use)?() ?? [] }
  }

  func beginBelow() { scopes.beginBelow(entry) }

  func endBelow() -> RestOfOperation? { scopes.leaveBelow(entry) }

  func scopeHasEnded() { scopes.remove(entry) }
}
