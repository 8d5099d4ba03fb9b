import ActorDI

/// A service with a name, which it notes when its lifecycle methods run.
package protocol Noted: Sendable {
  var name: String { get }
}

/// A service with asynchronous post-initialisation, which waits until the gate is open.
package final class PostInitialized: Noted, PostInitialization {
  package let name: String
  package let journal: Journal<String>
  package let gate: Gate?
  package let failure: Shelf<Boom?>
  package let isReady = Shelf(false)

  package init(
    _ name: String = "warm", _ journal: Journal<String> = Journal(), gate: Gate? = nil,
    failure: Shelf<Boom?> = Shelf(nil)
  ) {
    self.name = name
    self.journal = journal
    self.gate = gate
    self.failure = failure
    journal.note("made \(name)")
  }

  package func didInitialize() async throws {
    await gate?.wait()
    await Task.yield()
    try Task.checkCancellation()
    if let failure = failure.value { throw failure }
    isReady.value = true
    journal.note("initialized \(name)")
  }
}

/// A service that is notified when the resolve call that built it has ended.
package final class Notified: Noted, ResolutionAware {
  package let name: String
  package let journal: Journal<String>
  package let failure: Boom?

  package init(_ name: String = "notified", _ journal: Journal<String> = Journal(), failure: Boom? = nil) {
    self.name = name
    self.journal = journal
    self.failure = failure
  }

  package func didResolve() async throws {
    await Task.yield()
    journal.note(name)
    if let failure { throw failure }
  }
}

/// A service without lifecycle methods.
package final class PlainService: Noted {
  package let name = "plain"
  package init() {}
}

/// A value without lifecycle methods, larger than an existential's inline buffer.
package struct PlainValue: Noted {
  package let name = "plain value"
  package var more = (1, 2, 3)
  package init() {}
}

/// A value that is notified when the resolve call that built it has ended.
package struct NotifiedValue: Noted, ResolutionAware {
  package let name = "notified value"
  package let journal: Journal<String>
  package init(journal: Journal<String>) { self.journal = journal }
  package func didResolve() async throws { journal.note(name) }
}

/// A class-bound protocol, to find the same services under a class-bound existential.
package protocol ClassBound: AnyObject, Sendable {}
extension PostInitialized: ClassBound {}
extension Notified: ClassBound {}
extension PlainService: ClassBound {}
