import ActorDITestSupport
import Testing

@testable import ActorDI

/// Asynchronous callers suspend until another thread has built the service. A suspended caller can be cancelled; a blocked thread cannot.
@Suite("Asynchronous callers and builds on threads", .timeLimit(.minutes(5)))
struct SuspendingCallerTests {
  private let began = Gate()
  private let mayEnd = Gate()
  private let left = Gate()
  private let isBlocking = Shelf(false)

  private func container(_ scope: Scope) -> Container {
    Container { [began, mayEnd, isBlocking] in
      Registration(Polite.self, scope: scope) { _ in
        if isBlocking.value {
          began.open()
          mayEnd.block()
        }
        return Polite()
      }
      .implements((any Greeter).self) { $0 }
    }
  }

  /// Checks that a call leaves the build of another thread when it is cancelled, and that it gets the instance otherwise.
  private func check(
    _ container: Container, _ call: @escaping @Sendable () async throws -> any Greeter
  ) async throws {
    defer { mayEnd.open() }
    isBlocking.value = true
    let build = Task { try await onThread { try container.resolve(Polite.self) } }
    try await began.passed()
    let cancelled = Task { [left] in
      defer { left.open() }
      return try await call()
    }
    cancelled.cancel()
    try await left.passed()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    mayEnd.open()
    let polite = try await build.value
    #expect(try await call() as? Polite === polite)
  }

  // A regression: once the alias had been resolved, its factory blocked the thread.
  @Test(arguments: [Scope.shared, .singleton, .scoped, .scoped("unnamed")])
  func aCallerByAnAliasSuspends(scope: Scope) async throws {
    let container = container(scope)
    _ = try await container.resolve((any Greeter).self)
    await container.reset()
    try await check(container) { try await container.resolve((any Greeter).self) }
  }

  // A regression: the build in the cell of the lazy blocked the thread.
  @Test(arguments: [Scope.singleton, .scoped, .managed(by: ManagedScope("period"))])
  func aCallerOfALazySuspends(scope: Scope) async throws {
    let container = container(scope)
    let lazy = try await container.resolve(Lazy<Polite>.self)
    try await check(container) { try await lazy() }
  }

  @Test func aCallerOfALazyOfAnAliasSuspends() async throws {
    let container = container(.singleton)
    let lazy = try await container.resolve(Lazy<any Greeter>.self)
    try await check(container) { try await lazy() }
  }

  @Test func aLoadOfAPropertySuspends() async throws {
    let container = container(.singleton)
    let property = Injected<Polite>(from: container)
    try await check(container) { try await property() }
  }

  // A regression: the caller got the error of the thread, that it was synchronous code.
  @Test func aCallerOfALazyThatAThreadCannotBuildBuildsItself() async throws {
    let container = Container { [began, mayEnd] in
      Registration(autowired: Stem.self) { (_: Probe, alpha: Alpha) in Stem(alpha) }
      Registration(Probe.self) { _ in
        began.open()
        mayEnd.block()
        return Probe()
      }
      Registration(Alpha.self) { _ in
        await Task.yield()
        return Alpha()
      }
    }
    defer { mayEnd.open() }
    let lazy = try await container.resolve(Lazy<Stem>.self)
    let thread = Task { await Result { try await onThread { try lazy.synchronously() } } }
    try await began.passed()
    let stage = Stage()
    let caller = await stage.start { _ in try await lazy() }
    mayEnd.open()
    let stem = try await caller.value
    #expect(stem.next is Alpha)
    #expect((await thread.value.error as? ResolutionError)?.code == .asyncRequired)
    #expect(try await lazy() === stem)
  }
}
