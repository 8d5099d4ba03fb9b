import ActorDITestSupport
import Testing

@testable import ActorDI

/// A service that only an asynchronous caller can complete, and that the container disposes of.
private final class Session: PostInitialization, Disposable {
  private let journal: Journal<String>
  init(_ journal: Journal<String>) { self.journal = journal }
  func didInitialize() async throws { journal.note("initialized") }
  func dispose() { journal.note("disposed") }
}

private protocol Connected: Sendable {}
extension Session: Connected {}

private struct Silent: ContainerObserver {}

/// An instance that its factory has made for a synchronous caller, and that only an asynchronous caller can complete.
@Suite("Refused instances", .timeLimit(.minutes(5)))
struct RefusedInstanceTests {
  enum Form: CaseIterable, CustomTestStringConvertible {
    case existential, alias, dependency
    var testDescription: String { "\(self)" }
  }

  private final class Holder: Sendable {
    let session: any Connected
    init(session: any Connected) { self.session = session }
  }

  private func container(
    _ journal: Journal<String>, isObserved: Bool, hasHook: Bool = false
  ) -> Container {
    Container(configuration: .init(observer: isObserved ? Silent() : nil)) {
      // The type does not say that its instances need completion.
      let session = Registration((any Connected).self) { _ in
        journal.note("made")
        return Session(journal)
      }
      .implements((any Sendable).self) { $0 }
      if hasHook { session.onCreated { _, _ in journal.note("hook") } } else { session }
      Registration(autowired: Holder.self, initializer: Holder.init)
    }
  }

  @Test(arguments: Form.allCases, [false, true])
  func aRefusedTransientIsDisposedOf(form: Form, isObserved: Bool) async throws {
    for hasHook in [false, true] {
      let journal = Journal<String>()
      let container = container(journal, isObserved: isObserved, hasHook: hasHook)
      // The first request finds out that instances are incomplete; the next one knows.
      for _ in 1...2 {
        let error = try resolutionError {
          switch form {
          case .existential: _ = try sync { try container.resolve((any Connected).self) }
          case .alias: _ = try sync { try container.resolve((any Sendable).self) }
          case .dependency: _ = try sync { try container.resolve(Holder.self) }
          }
        }
        #expect(error.code == .asyncRequired)
      }
      try await container.shutdown()
      let entries = journal.entries
      #expect(entries.contains("made"))
      #expect(entries.filter { $0 == "disposed" }.count == entries.filter { $0 == "made" }.count)
      #expect(!entries.contains("initialized") && !entries.contains("hook"))
    }
  }

  private func note(_ outcome: ScopeOutcome, in outcomes: Journal<String>) {
    if case .failed(let error as ResolutionError) = outcome {
      outcomes.note("\(error.code)")
    } else {
      outcomes.note("\(outcome)")
    }
  }

  // A regression: the disposers of a `.graph` instance learned that it had completed.
  @Test(arguments: [Scope.transient, .graph], [false, true])
  func theDisposersLearnWhyTheInstanceWasRefused(scope: Scope, isObserved: Bool) async throws {
    let outcomes = Journal<String>()
    let container = Container(configuration: .init(observer: isObserved ? Silent() : nil)) {
      Registration((any Noted).self, scope: scope) { _ in PostInitialized("a", Journal()) }
        .onDispose { _, outcome in note(outcome, in: outcomes) }
    }
    let error = try resolutionError { _ = try sync { try container.resolve((any Noted).self) } }
    #expect(error.code == .asyncRequired)
    #expect(outcomes.entries == ["asyncRequired"])
  }

  /// A service whose property the container sets.
  private final class Page: @unchecked Sendable {
    // `@unchecked Sendable` because only the container sets the property.
    var leaf: Leaf?
  }

  // A regression: the disposers learned that the instance had completed, so that a unit of work was committed.
  @Test(arguments: [Scope.transient, .graph, .shared, .singleton], [false, true])
  func theDisposersLearnThatAnInjectionNeedsAnAsynchronousCaller(scope: Scope, isObserved: Bool) async throws {
    let (outcomes, isDisposedOf) = (Journal<String>(), Gate())
    let container = Container(configuration: .init(observer: isObserved ? Silent() : nil)) {
      Registration(Leaf.self, scope: .singleton) { _ in
        await Task.yield()
        return Leaf()
      }
      Registration(Page.self, scope: scope) { _ in Page() }.inject(\.leaf)
        .onDispose { _, outcome in
          note(outcome, in: outcomes)
          isDisposedOf.open()
        }
    }
    let error = try resolutionError { _ = try sync { try container.resolve(Page.self) } }
    #expect(error.code == .asyncRequired)
    try await isDisposedOf.passed()
    #expect(outcomes.entries == ["asyncRequired"])
  }

  @Test(arguments: [false, true])
  func theErrorsPathEndsWithTheServiceOnce(isObserved: Bool) async throws {
    let container = Container(configuration: .init(observer: isObserved ? Silent() : nil)) {
      Registration((any Connected).self) { (_: Resolver, _: Int) in Session(Journal()) }
      Registration(Holder.self) { r in Holder(session: try r.resolve((any Connected).self, arguments: 1)) }
    }
    for _ in 1...2 {
      let direct = try resolutionError { try sync { try container.resolve((any Connected).self, arguments: 1) } }
      #expect(direct.path == ["any Connected(Int)"])
      let dependency = try resolutionError { try sync { try container.resolve(Holder.self) } }
      #expect(dependency.path == ["Holder", "any Connected(Int)"])
    }
  }

  @Test func anAsynchronousCallerStillGetsTheInstance() async throws {
    let journal = Journal<String>()
    let container = container(journal, isObserved: false)
    _ = try? sync { try container.resolve((any Connected).self) }
    let session = try await container.resolve((any Connected).self)
    #expect(journal.entries.filter { $0 == "made" }.count == 2)
    #expect(journal.entries.filter { $0 == "initialized" }.count == 1)
    try await container.shutdown()
    #expect(journal.entries.filter { $0 == "disposed" }.count == 2)
    withExtendedLifetime(session) {}
  }

  // A regression: the refused instance was dropped.
  @Test func anInstanceWhoseContainerIsClosedBeforeItsCompletionIsDisposedOf() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration((any Connected).self) { r in
        _ = try r.resolve(Container.self).closeAtOnce(after: .shutDown)
        return Session(journal)
      }
    }
    let error = try await asyncResolutionError { try await container.resolve((any Connected).self) }
    #expect(error.code == .closed)
    try await until { journal.entries == ["disposed"] }
  }
}
