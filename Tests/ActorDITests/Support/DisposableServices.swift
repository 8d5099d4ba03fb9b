import ActorDI
import Synchronization

/// A service that notes its disposal, once the gate is open.
package final class Connection: Noted, Disposable {
  package let name: String
  private let journal: Journal<String>
  private let gate: Gate?
  private let failure: Boom?

  package init(
    _ name: String = "connection", _ journal: Journal<String> = Journal(), gate: Gate? = nil,
    failure: Boom? = nil
  ) {
    self.name = name
    self.journal = journal
    self.gate = gate
    self.failure = failure
  }

  package func dispose() async throws {
    await gate?.wait()
    await Task.yield()
    journal.note(name)
    if let failure { throw failure }
  }
}

/// Three disposable services; each depends on the one before.
package final class Cellar: Noted, Disposable {
  package let name = "cellar"
  package let journal: Journal<String>
  package init(journal: Journal<String>) { self.journal = journal }
  package func dispose() async throws { journal.note(name) }
}
package final class Floor: Noted, Disposable {
  package let name = "floor"
  package let cellar: Cellar
  package init(cellar: Cellar) { self.cellar = cellar }
  package func dispose() async throws { cellar.journal.note(name) }
}
package final class Roof: Noted, Disposable {
  package let name = "roof"
  package let floor: Floor
  package init(floor: Floor) { self.floor = floor }
  package func dispose() async throws { floor.cellar.journal.note(name) }
}

/// Records how many services were made, and how often each was disposed of.
package final class DisposalRecord: Sendable {
  private struct State: Sendable {
    var made = 0
    var ends: [Int: Int] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package func newNumber() -> Int {
    state.withLock { state in
      state.made += 1
      return state.made
    }
  }

  package func noteEnd(of number: Int) { state.withLock { $0.ends[number, default: 0] += 1 } }

  /// The number of services made.
  package var made: Int { state.withLock { $0.made } }

  /// The number of services disposed of at least once.
  package var ended: Int { state.withLock { $0.ends.count } }

  /// The services that were not disposed of exactly once, by number, with the number of disposals.
  package var mistakes: [Int: Int] {
    state.withLock { state in
      let all = (1...max(1, state.made)).prefix(state.made).map { ($0, state.ends[$0] ?? 0) }
      return Dictionary(uniqueKeysWithValues: all.filter { $0.1 != 1 })
    }
  }
}

/// A service that records its creation and its disposal in the books.
package final class RecordedService: Disposable {
  package let number: Int
  private let books: DisposalRecord
  private let gate: Gate?

  package init(_ books: DisposalRecord, gate: Gate? = nil) {
    self.books = books
    self.gate = gate
    number = books.newNumber()
  }

  package func dispose() async throws {
    await gate?.wait()
    books.noteEnd(of: number)
  }
}
