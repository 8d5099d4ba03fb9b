@testable import ActorDI

/// What services with a part in their own creation have in common: they note what happens to them.
protocol Noted: Sendable {
  var name: String { get }
}

/// Initialises itself asynchronously, when the gate is open.
final class Warm: Noted, PostInitialization {
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

/// Wants to know when its call has ended.
final class Told: Noted, ResolutionAware {
  let name: String
  let journal: Journal<String>
  let failure: Boom?

  init(_ name: String = "told", _ journal: Journal<String> = Journal(), failure: Boom? = nil) {
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

/// Does neither.
final class Inert: Noted {
  let name = "plain"
}

/// The same, as a value that is larger than an existential's buffer.
struct InertValue: Noted {
  let name = "plain value"
  var more = (1, 2, 3)
}

/// A value that wants to know.
struct ToldValue: Noted, ResolutionAware {
  let name = "told value"
  let journal: Journal<String>
  func didResolve() async throws { journal.note(name) }
}

/// The same services, found under a class-bound existential.
protocol ClassBound: AnyObject, Sendable {}
extension Warm: ClassBound {}
extension Told: ClassBound {}
extension Inert: ClassBound {}
