import ActorDITestSupport
import ActorDITesting
import Foundation
import Synchronization
import Testing

@testable import ActorDI

private protocol Part: Sendable {}
private final class Simple: Part {}
private final class Composed: Part {
  let alpha: Alpha
  init(alpha: Alpha) { self.alpha = alpha }
}

/// Detects inline builds. A build that is not inline runs in a task of the container.
private enum Caller {
  /// The task that calls `resolve`. A build task may inherit the task-local, so it is compared with the current task.
  @TaskLocal static var task: Int?

  static var current: Int? { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue } }

  /// Whether the code runs in the task that calls `resolve`.
  static var isHere: Bool { task != nil && task == current }
}

/// Asynchronous callers build synchronous services on their own thread. So a concurrent synchronous caller waits for the build,
/// and does not get `asyncRequired`.
@Suite("Inline builds of synchronous services", .timeLimit(.minutes(5)))
struct InlineBuildTests {
  /// Containers with synchronous registrations of a service, one of each kind.
  private func containers(_ scope: Scope, _ note: @escaping @Sendable () -> Void) -> [(String, Container)] {
    [
      (
        "factory",
        Container {
          Registration((any Part).self, scope: scope) { _ in
            note(); return Simple()
          }
        }
      ),
      (
        "main",
        Container {
          Registration(autowired: (any Part).self, scope: scope) { (alpha: Alpha) in
            note(); return Composed(alpha: alpha)
          }
          Registration(autowired: Alpha.self, initializer: Alpha.init)
        }
      ),
      (
        "hook",
        Container {
          Registration((any Part).self, scope: scope) { _ in Simple() }.onCreated { _, _ in note() }
        }
      ),
      (
        "alias",
        Container {
          Registration(Simple.self, scope: scope) { _ in
            note(); return Simple()
          }.implements((any Part).self) { $0 }
        }
      ),
      (
        "inherited",
        Container(
          parent: Container {
            Registration((any Part).self, scope: scope) { _ in
              note(); return Simple()
            }
          })
      ),
    ]
  }

  private func check(_ location: SourceLocation = #_sourceLocation, _ resolve: (Container) async throws -> Void)
    async throws
  {
    for scope in [Scope.transient, .graph, .shared, .singleton, .scoped, .pooled(max: 1)] {
      let isInline = Shelf<Bool?>(nil)
      for (name, container) in containers(scope, { isInline.value = Caller.isHere }) {
        isInline.value = nil
        try await Caller.$task.withValue(Caller.current) { try await resolve(container) }
        #expect(isInline.value == true, "\(name), \(scope)", sourceLocation: location)
      }
    }
  }

  @Test func aResolveBuildsInline() async throws {
    try await check { _ = try await $0.resolve((any Part).self) }
  }

  @Test func aLazyBuildsInline() async throws {
    try await check {
      let lazy = try await $0.resolve(Lazy<any Part>.self)
      _ = try await lazy()
    }
    try await check {
      let lazy = try await $0.resolve(Lazy<[any Part]>.self)
      #expect(try await lazy().count == 1)
    }
    try await check {
      let lazy = try await $0.resolve(Lazy<(any Part)?>.self)
      #expect(try await lazy() != nil)
    }
  }

  @Test func aProviderBuildsInline() async throws {
    try await check {
      let provider = try await $0.resolve(Provider<any Part>.self)
      _ = try await provider()
    }
  }

  @Test func ownedArraysAndOptionalsBuildInline() async throws {
    try await check { _ = try await $0.resolve(Owned<any Part>.self) }
    try await check { _ = try await $0.resolve([any Part].self) }
    try await check { _ = try await $0.resolve((any Part)?.self) }
  }

  @Test func anInjectedPropertyBuildsInline() async throws {
    try await check { container in
      let injected = Injected<any Part>(from: container)
      _ = try await injected()
    }
  }

  @Test func decoratedAndOverriddenServicesAreBuiltInline() async throws {
    try await check { container in
      try await container.decorate((any Part).self) { _, inner in inner }
      _ = try await container.resolve(Lazy<any Part>.self)()
      _ = try await container.resolve((any Part).self)
    }
    let isInline = Shelf<Bool?>(nil)
    let container = Container { Registration((any Part).self, scope: .singleton) { _ in Simple() } }
    try await container.withOverrides {
      Registration((any Part).self, scope: .singleton) { _ in
        isInline.value = Caller.isHere
        return Simple()
      }
    } operation: {
      let lazy = try await container.resolve(Lazy<any Part>.self)
      try await Caller.$task.withValue(Caller.current) { _ = try await lazy() }
    }
    #expect(isInline.value == true)
  }

  @Test func aLazyWithArgumentsBuildsInline() async throws {
    let isInline = Shelf<Bool?>(nil)
    let container = Container {
      Registration(Probe.self) { (_, name: String) in
        isInline.value = Caller.isHere
        return Probe(name)
      }
    }
    let lazy = try await container.resolve(Lazy<Probe>.self, arguments: "a")
    try await Caller.$task.withValue(Caller.current) { _ = try await lazy() }
    #expect(try await lazy().name == "a")
    #expect(isInline.value == true)
  }

  @MainActor @Test func mainActorServicesAreBuiltInlineOnTheMainActor() async throws {
    let isInline = Shelf<Bool?>(nil)
    let container = Container {
      Registration(Probe.self, scope: .singleton) { @MainActor _ in
        isInline.value = Caller.isHere
        return Probe()
      }
    }
    try await Caller.$task.withValue(Caller.current) { _ = try await container.resolve(Probe.self) }
    #expect(isInline.value == true)
    await container.reset()
    let lazy = try await container.resolve(Lazy<Probe>.self)
    isInline.value = nil
    try await Caller.$task.withValue(Caller.current) { _ = try await lazy() }
    #expect(isInline.value == true)
  }

  /// A regression: a resolve off the main actor found an instance, so it expected no build. If the instance was gone when it arrived, it
  /// ran the main actor's factory on its own thread.
  @Test(arguments: [Scope.singleton, .scoped])
  func aDroppedMainActorServiceIsBuiltOnTheMainActor(scope: Scope) async throws {
    // The instance expires after some reads of the clock within the resolve.
    for reads in 0..<4 {
      let clock = Shelf<WatchedClock?>(nil)
      let left = Shelf<Int?>(nil)
      clock.value = WatchedClock {
        guard let count = left.value else { return }
        left.value = count > 0 ? count - 1 : nil
        if count == 0 { clock.value?.base.advance(by: .seconds(60)) }
      }
      let container = Container(configuration: .init(clock: try #require(clock.value))) {
        Registration(Probe.self, scope: scope) { @MainActor _ in
          MainActor.assertIsolated()
          return Probe()
        }
        .timeToLive(.seconds(10))
      }
      _ = try await container.resolve(Probe.self)
      left.value = reads
      _ = try await container.resolve(Probe.self)
      clock.value = nil
    }
  }

  @Test func theResolvingContainersRegistrationsDecideWhetherABuildIsInline() async throws {
    let isInline = Shelf<Bool?>(nil)
    let parent = Container {
      Registration(autowired: Composed.self, scope: .scoped) { (alpha: Alpha) in
        isInline.value = Caller.isHere
        return Composed(alpha: alpha)
      }
      Registration(Alpha.self) { _ in
        await Task.yield()
        return Alpha()
      }
    }
    let child = Container(parent: parent) { Registration(Alpha.self) { _ in Alpha() } }
    try await Caller.$task.withValue(Caller.current) {
      _ = try await child.resolve(Composed.self)
      #expect(isInline.value == true)
      _ = try await parent.resolve(Composed.self)
      #expect(isInline.value == false)
      isInline.value = nil
      _ = try await child.makeChild().resolve(Lazy<Composed>.self)()
      #expect(isInline.value == true)
    }
  }

  // MARK: Asynchronous parts and errors

  @Test func aBuildThatNeedsAPendingDependencyContinuesInATask() async throws {
    // The autowired service appears synchronous, but a task is building its dependency.
    let gate = Gate()
    let began = Gate()
    let container = Container {
      Registration(autowired: Composed.self, scope: .singleton, initializer: Composed.init)
      Registration(Alpha.self, scope: .singleton) { _ in
        began.open()
        await gate.wait()
        return Alpha()
      }
    }
    let lazy = try await container.resolve(Lazy<Composed>.self)
    async let first = container.resolve(Alpha.self)
    await began.wait()
    async let second = lazy()
    gate.open()
    let (alpha, composed) = try await (first, second)
    #expect(composed.alpha === alpha)
  }

  @Test func aLazyBuildsAndInitialisesItsServiceOnce() async throws {
    for scope in [Scope.singleton, .shared, .graph] {
      let journal = Journal<String>()
      let container = Container {
        Registration((any Noted).self, scope: scope) { _ in PostInitialized("warm", journal) }
      }
      let lazy = try await container.resolve(Lazy<any Noted>.self)
      let warm = try #require(try await lazy() as? PostInitialized)
      #expect(warm.isReady.value)
      #expect(journal.entries == ["made warm", "initialized warm"], "\(scope)")
    }
  }

  // MARK: Concurrency

  @Test func aThreadWaitsForATasksInlineBuildOfALazy() async throws {
    for scope in [Scope.transient, .singleton, .graph] {
      let (ready, began, arriving) = (Gate(), Gate(), Gate())
      let container = Container {
        Registration(Probe.self, scope: scope) { _ in
          began.open()
          // The wait is short: the other thread has started already.
          arriving.block()
          for _ in 0..<1000 { sched_yield() }
          return Probe()
        }
      }
      let lazy = try await container.resolve(Lazy<Probe>.self)
      async let second = onThread {
        ready.open()
        began.block()
        arriving.open()
        return try lazy()
      }
      // The task that blocks a thread of the pool starts only now.
      await ready.wait()
      async let first = Task.detached { try await lazy() }.value
      let (built, waited) = try await (first, second)
      #expect(built === waited, "\(scope)")
    }
  }
}
