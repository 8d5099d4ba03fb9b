@testable import ActorDI

/// A service that notes its disposal, once the gate is open.
final class Connection: Noted, Disposable {
  let name: String
  private let journal: Journal<String>
  private let gate: Gate?
  private let failure: Boom?

  init(
    _ name: String = "connection", _ journal: Journal<String> = Journal(), gate: Gate? = nil,
    failure: Boom? = nil
  ) {
    self.name = name
    self.journal = journal
    self.gate = gate
    self.failure = failure
  }

  func dispose() async throws {
    await gate?.wait()
    await Task.yield()
    journal.note(name)
    if let failure { throw failure }
  }
}

/// Three disposable services; each depends on the one before.
final class Cellar: Noted, Disposable {
  let name = "cellar"
  let journal: Journal<String>
  init(journal: Journal<String>) { self.journal = journal }
  func dispose() async throws { journal.note(name) }
}
final class Floor: Noted, Disposable {
  let name = "floor"
  let cellar: Cellar
  init(cellar: Cellar) { self.cellar = cellar }
  func dispose() async throws { cellar.journal.note(name) }
}
final class Roof: Noted, Disposable {
  let name = "roof"
  let floor: Floor
  init(floor: Floor) { self.floor = floor }
  func dispose() async throws { floor.cellar.journal.note(name) }
}

/// Records how many services were made, and how often each was disposed of.
final class DisposalRecord: Sendable {
  private struct State: Sendable {
    var made = 0
    var ends: [Int: Int] = [:]
  }

  private let state = Lock(State())

  func newNumber() -> Int {
    state.withLock { state in
      state.made += 1
      return state.made
    }
  }

  func noteEnd(of number: Int) { state.withLock { $0.ends[number, default: 0] += 1 } }

  /// The number of services made.
  var made: Int { state.withLock { $0.made } }

  /// The number of services disposed of at least once.
  var ended: Int { state.withLock { $0.ends.count } }

  /// The services that were not disposed of exactly once, by number, with the number of disposals.
  var mistakes: [Int: Int] {
    state.withLock { state in
      let all = (1...max(1, state.made)).prefix(state.made).map { ($0, state.ends[$0] ?? 0) }
      return Dictionary(uniqueKeysWithValues: all.filter { $0.1 != 1 })
    }
  }
}

/// A service that records its creation and its disposal in the books.
final class RecordedService: Disposable {
  let number: Int
  private let books: DisposalRecord
  private let gate: Gate?

  init(_ books: DisposalRecord, gate: Gate? = nil) {
    self.books = books
    self.gate = gate
    number = books.newNumber()
  }

  func dispose() async throws {
    await gate?.wait()
    books.noteEnd(of: number)
  }
}
