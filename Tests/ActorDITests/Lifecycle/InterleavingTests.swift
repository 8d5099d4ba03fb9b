import ActorDITestSupport
import Testing

@testable import ActorDI

/// Steps through a call, one `await` after the other, and at one of them cancels the call, closes the container or resets it.
/// In every case, the container disposes of each instance once, and no call hangs.
@Suite("Interleavings", .timeLimit(.minutes(5)))
struct InterleavingTests {
  /// An action that is taken when a call has reached a step.
  enum Event: CaseIterable, Sendable { case cancel, shutdown, cancelAndShutdown, reset, unregister, invalidate }

  /// The number of awaits in a build and its end: of a dependency, the factory, a hook, the post-initialisation and the disposal.
  private static let stepCount = 9

  /// Stops each step until the test lets it continue.
  private final class Steps: Sendable {
    private let state = Lock((arrived: 0, seen: [String]()))
    let gates = (0..<16).map { _ in Gate() }
    let stop: Int
    init(stoppingAt stop: Int) { self.stop = stop }

    var isThere: Bool { state.withLock { $0.arrived > stop } }
    var seen: [String] { state.withLock { $0.seen } }

    func step(_ name: String) async {
      let number = state.withLock { state in
        defer { state.arrived += 1 }
        state.seen.append(name)
        return state.arrived
      }
      if number == stop { await gates[min(number, 15)].wait() } else { await Task.yield() }
    }

    func proceed() { gates[min(stop, 15)].open() }
  }

  private final class Part: PostInitialization, Disposable {
    let booked: RecordedService
    let steps: Steps
    let name: String
    init(_ name: String, _ books: DisposalRecord, _ steps: Steps) {
      booked = RecordedService(books)
      self.name = name
      self.steps = steps
    }
    func didInitialize() async throws { await steps.step("\(name) initialises") }
    func dispose() async throws {
      await steps.step("\(name) ends")
      try await booked.dispose()
    }
  }

  private func app(_ scope: Scope, _ books: DisposalRecord, _ steps: Steps) -> Container {
    Container(name: "app") {
      Registration(Part.self, scope: scope) { _ in
        await steps.step("dependency")
        return Part("dependency", books, steps)
      }.key("dependency")
      scope == .transient ? service(scope, books, steps) : service(scope, books, steps).eager()
    }
  }

  private func service(_ scope: Scope, _ books: DisposalRecord, _ steps: Steps) -> Registration<Part> {
    Registration(Part.self, scope: scope) { r in
      await steps.step("factory")
      _ = try await r.resolve(Part.self, key: "dependency")
      await steps.step("factory again")
      return Part("service", books, steps)
    }
    .onCreated { _, r in
      await steps.step("hook")
      _ = try await r.resolve(Part.self, key: "dependency")
    }
  }

  private func act(_ event: Event, on app: Container, _ period: ManagedScope, _ task: Task<Void, any Error>) async
    -> Task<Void, Never>?
  {
    switch event {
    case .cancel:
      task.cancel()
      return nil
    case .shutdown, .cancelAndShutdown:
      if event == .cancelAndShutdown { task.cancel() }
      let closing = Task { _ = try? await app.shutdown() }
      while !app.lifecycle.isDraining && !app.lifecycle.isClosed { await Task.yield() }
      return closing
    case .reset: return Task { await app.reset() }
    case .unregister: return Task { await app.unregister(Part.self, key: "dependency") }
    case .invalidate: return Task { await period.invalidate() }
    }
  }

  /// A call that takes several steps, with the scope of the services that it builds.
  struct Call: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let scope: @Sendable (ManagedScope) -> Scope
    let run: @Sendable (Container) async throws -> Void

    init(
      _ description: String, scope: @escaping @Sendable (ManagedScope) -> Scope,
      run: @escaping @Sendable (Container) async throws -> Void
    ) {
      testDescription = description
      self.scope = scope
      self.run = run
    }
  }

  private static let calls: [Call] = [
    Call("resolve a singleton", scope: { _ in .singleton }) { _ = try await $0.resolve(Part.self) },
    Call("resolve a managed service", scope: { .managed(by: $0) }) { _ = try await $0.resolve(Part.self) },
    Call("resolve a transient", scope: { _ in .transient }) { _ = try await $0.resolve(Part.self) },
    Call("start with a singleton", scope: { _ in .singleton }) { try await $0.start() },
    Call("start with a managed service", scope: { .managed(by: $0) }) { try await $0.start() },
    Call("start and shut down", scope: { _ in .scoped }) { app in
      try await app.start()
      try await app.shutdown()
    },
    Call("run a scope", scope: { _ in .scoped }) { app in
      try await app.withScope { _ = try await $0.resolve(Part.self) }
    },
    Call("run nested scopes", scope: { _ in .scoped }) { app in
      try await app.withScope { outer in
        _ = try await outer.resolve(Part.self, key: "dependency")
        try await outer.withScope { _ = try await $0.resolve(Part.self) }
      }
    },
    Call("run scopes with a pooled service", scope: { _ in .pooled(max: 1) }) { app in
      for _ in 0..<2 { try await app.withScope { _ = try await $0.resolve(Part.self) } }
    },
    Call("resolve and dispose of an Owned", scope: { _ in .scoped }) { app in
      let owned = try await app.resolve(Owned<Part>.self)
      await owned.dispose()
    },
  ]

  @Test(
    "An event at any step of a call neither hangs it nor leaves an instance undisposed of", arguments: calls)
  func interrupted(_ call: Call) async throws {
    for event in Event.allCases {
      for stop in 0..<Self.stepCount {
        let (books, steps, period) = (DisposalRecord(), Steps(stoppingAt: stop), ManagedScope("p"))
        let app = app(call.scope(period), books, steps)
        let ended = Shelf(false)
        let task = Task {
          defer { ended.value = true }
          try await call.run(app)
        }
        try await until { steps.isThere || ended.value }
        let other = await act(event, on: app, period, task)
        for _ in 0..<8 { await Task.yield() }
        steps.proceed()
        let result = await task.result
        await other?.value
        try await app.shutdown()
        // A cancelled build may still be ending, in a task of its own.
        try await until { books.mistakes.isEmpty }
        #expect(books.mistakes.isEmpty, "\(event) at \(stop), after \(steps.seen): \(result)")
        let isIdle = app.lifecycle.activity.isIdle
        #expect(isIdle, "\(event) at \(stop)")
        #expect(app.lifecycle.state.withLock { $0.disposals.isEmpty } && app.lifecycle.scopes.isEmpty)
      }
    }
  }
}
