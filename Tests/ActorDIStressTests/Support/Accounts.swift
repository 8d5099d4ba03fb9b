import ActorDI
import Testing

/// Records creations and disposals. Each instance must be disposed of once.
final class Accounts: Sendable {
  private struct State: Sendable {
    var made = 0
    var ended: Set<Int> = []
    var alive = 0
  }

  private let state = Lock(State())

  func open() -> Int {
    state.withLock { state in
      state.made += 1
      state.alive += 1
      return state.made
    }
  }

  func close(_ number: Int) {
    if !state.withLock({ $0.ended.insert(number).inserted }) { complain("instance \(number) was disposed of twice") }
  }

  func free() { state.withLock { $0.alive -= 1 } }

  var made: Int { state.withLock { $0.made } }
  var alive: Int { state.withLock { $0.alive } }
  /// The number of instances that were not disposed of.
  var undisposed: Int { state.withLock { $0.made - $0.ended.count } }
}

/// A service that records its creation, disposal and deinitialisation.
final class Asset: Disposable {
  let number: Int
  private let accounts: Accounts
  private let suspends: Bool

  init(_ accounts: Accounts, suspends: Bool = false) {
    self.accounts = accounts
    self.suspends = suspends
    number = accounts.open()
  }

  deinit { accounts.free() }

  func dispose() async throws {
    if suspends { await Task.yield() }
    accounts.close(number)
  }
}
