@testable import ActorDI

/// A service with a name, which it notes when its lifecycle methods run.
protocol Noted: Sendable {
  var name: String { get }
}

/// A service with asynchronous post-initialisation, which waits until the gate is open.
final class PostInitialized: Noted, PostInitialization {
  let name: String
  let journal: Journal<String>
  let gate: Gate?
  let failure: Shelf<Boom?>
  let isReady = Shelf(false)

  init(
    _ name: String = "warm", _ journal: Journal<String> = Journal(), gate: Gate? = nil,
    failure: Shelf<Boom?> = Shelf(nil)
  ) {
    self.name = name
    self.journal = journal
    self.gate = gate
    self.failure = failure
    journal.note("made \(name)")
  }

  func didInitialize() async throws {
    await gate?.wait()
    await Task.yield()
    try Task.checkCancellation()
    if let failure = failure.value { throw failure }
    isReady.value = true
    journal.note("initialized \(name)")
  }
}

/// A service that is notified when the resolve call that built it has ended.
final class Notified: Noted, ResolutionAware {
  let name: String
  let journal: Journal<String>
  let failure: Boom?

  init(_ name: String = "notified", _ journal: Journal<String> = Journal(), failure: Boom? = nil) {
    self.name = name
    self.journal = journal
    self.failure = failure
  }

  func didResolve() async throws {
    await Task.yield()
    journal.note(name)
    if let failure { throw failure }
  }
}

/// A service without lifecycle methods.
final class PlainService: Noted {
  let name = "plain"
}

/// A value without lifecycle methods, larger than an existential's inline buffer.
struct PlainValue: Noted {
  let name = "plain value"
  var more = (1, 2, 3)
}

/// A value that is notified when the resolve call that built it has ended.
struct NotifiedValue: Noted, ResolutionAware {
  let name = "notified value"
  let journal: Journal<String>
  func didResolve() async throws { journal.note(name) }
}

/// A class-bound protocol, to find the same services under a class-bound existential.
protocol ClassBound: AnyObject, Sendable {}
extension PostInitialized: ClassBound {}
extension Notified: ClassBound {}
extension PlainService: ClassBound {}
