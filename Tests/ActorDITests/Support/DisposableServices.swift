@testable import ActorDI

/// Notes that it is disposed of, when the gate is open.
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

/// Three services to depend on each other, each with an end.
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

/// Who was made, and how often each was disposed of.
final class Books: Sendable {
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

  /// How many were made.
  var made: Int { state.withLock { $0.made } }

  /// How many have ended.
  var ended: Int { state.withLock { $0.ends.count } }

  /// Those that did not end once, by number.
  var mistakes: [Int: Int] {
    state.withLock { state in
      let all = (1...max(1, state.made)).prefix(state.made).map { ($0, state.ends[$0] ?? 0) }
      return Dictionary(uniqueKeysWithValues: all.filter { $0.1 != 1 })
    }
  }
}

/// A service that is in the books.
final class Booked: Disposable {
  let number: Int
  private let books: Books
  private let gate: Gate?

  init(_ books: Books, gate: Gate? = nil) {
    self.books = books
    self.gate = gate
    number = books.newNumber()
  }

  func dispose() async throws {
    await gate?.wait()
    books.noteEnd(of: number)
  }
}
