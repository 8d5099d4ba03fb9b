import ActorDITestSupport
import Testing

@testable import ActorDI

/// A protocol, some of whose types need an asynchronous step.
private protocol Thing: Sendable {}
private struct Plain: Thing {}
private final class Completed: Thing, PostInitialization {
  let isReady = Shelf(false)
  func didInitialize() async throws {
    await Task.yield()
    isReady.value = true
  }
}

private struct Large: Sendable, Equatable {
  var words = (0, 1, 2, 3, 4, 5, 6, 7)
  static func == (left: Large, right: Large) -> Bool { left.words.0 == right.words.0 && left.words.7 == right.words.7 }
}

/// Transients whose factories take run-time arguments: most are a single call of the factory.
struct ArgumentTests {
  @Test func theFactoryRunsOnceForEachResolve() async throws {
    let runs = Counter()
    let app = Container {
      Registration(String.self) { (_, left: Int, right: String) in
        runs.increment()
        return "\(left)\(right)"
      }
    }
    for container in [app, app.makeChild()] {
      let before = runs.count
      #expect(try sync { try container.resolve(String.self, arguments: 1, "a") } == "1a")
      #expect(try await container.resolve(String.self, arguments: 2, "b") == "2b")
      #expect(runs.count == before + 2)
    }
  }

  @Test func largeValuesAndKeys() async throws {
    let app = Container {
      Registration(Large.self) { (_, last: Int) in Large(words: (last, 1, 2, 3, 4, 5, 6, last)) }
      Registration(Int.self) { (_, number: Int) in number }.key("same")
    }
    #expect(try sync { try app.resolve(Large.self, arguments: 9) }.words.7 == 9)
    #expect(try await app.resolve(Large.self, arguments: 8).words.0 == 8)
    #expect(try sync { try app.resolve(Int.self, key: "same", arguments: 7) } == 7)
    #expect(try await app.resolve(Int.self, key: "same", arguments: 6) == 6)
  }

  @Test func anInstanceThatNeedsCompletionGetsItOnceFromAnAsynchronousCaller() async throws {
    let runs = Counter()
    let app = Container {
      Registration((any Thing).self) { (_, completes: Bool) in
        runs.increment()
        return completes ? Completed() : Plain()
      }
    }
    for completes in [false, true, false, true] {
      let before = runs.count
      let thing = try await app.resolve((any Thing).self, arguments: completes)
      #expect((thing as? Completed)?.isReady.value == (completes ? true : nil))
      #expect(runs.count == before + 1)
    }
    #expect(try resolutionError { try app.resolve((any Thing).self, arguments: true) }.code == .asyncRequired)
    _ = try sync { try app.resolve((any Thing).self, arguments: false) }
  }

  @Test func aFactoryMayRecurseWithOtherArguments() async throws {
    let app = Container {
      Registration(Int.self) { (r, depth: Int) in depth == 0 ? 0 : 1 + (try r.resolve(Int.self, arguments: depth - 1)) }
    }
    #expect(try sync { try app.resolve(Int.self, arguments: 40) } == 40)
    #expect(try await app.resolve(Int.self, arguments: 40) == 40)
    let error = try await onThread { try resolutionError { try app.resolve(Int.self, arguments: -1) } }
    #expect(error.code == .cycle)
  }

  @Test func aDependencyThatBecomesAsynchronousIsAwaited() async throws {
    let app = Container {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(autowired: Pair.self, arguments: Int.self, initializer: Pair.init)
    }
    #expect(try sync { try app.resolve(Pair.self, arguments: 1) }.number == 1)
    #expect(try await app.resolve(Pair.self, arguments: 2).number == 2)
    try await app.register(Alpha.self) { _ in
      await Task.yield()
      return Alpha()
    }
    #expect(try await app.resolve(Pair.self, arguments: 3).number == 3)
    #expect(try resolutionError { try app.resolve(Pair.self, arguments: 4) }.code == .asyncRequired)
  }

  @Test func anEmptyPackOfAGenericCallerIsTheServiceWithoutArguments() async throws {
    let word = ServiceKey<String>("word")
    let app = Container {
      Registration(String.self) { _ in "plain" }
      Registration(word) { _ in "keyed" }
      Registration(Alpha.self) { _ in Alpha() }.scope(.singleton)
      Registration(Int.self) { _ async in 7 }
    }
    let alpha = try app.now(Alpha.self)
    #expect(try app.now(Alpha.self) === alpha)
    #expect(try await app.later(Alpha.self) === alpha)
    for container in [app, app.makeChild()] {
      #expect(try container.now(String.self) == "plain")
      #expect(try await container.later(String.self) == "plain")
      #expect(try container.now(String.self, key: "word") == "keyed")
      #expect(try await container.later(String.self, key: "word") == "keyed")
      #expect(try container.now(word) == "keyed")
      #expect(try await container.later(word) == "keyed")
      #expect(try container.now([String].self) == ["plain", "keyed"])
      #expect(try await container.later(String?.self) == "plain")
      #expect(try container.nowByProvider(String.self) == "plain")
      #expect(try await container.laterByProvider(String.self) == "plain")
      #expect(try await container.later(Int.self) == 7)
    }
    #expect(try resolutionError { try app.now(Int.self) }.code == .asyncRequired)
    #expect(try resolutionError { try app.now(Double.self) }.code == .notRegistered)
    #expect(try await asyncResolutionError { try await app.later(Double.self) }.code == .notRegistered)
    #expect(try resolutionError { try app.now(String.self, 1) }.code == .argumentMismatch)
  }

  @Test func observersSeeATransientWithArguments() async throws {
    let observer = CreationCounter()
    let app = Container(configuration: .init(observer: observer)) {
      Registration(Int.self) { (_, number: Int) in number }
    }
    _ = try sync { try app.resolve(Int.self, arguments: 1) }
    _ = try await app.resolve(Int.self, arguments: 1)
    #expect(observer.created.count == 2)
  }
}

private struct CreationCounter: ContainerObserver {
  let created = Counter()
  func container(_ container: Container, didEmit event: ContainerEvent) {
    if case .created = event.kind { created.increment() }
  }
}

private final class Pair: Sendable {
  let alpha: Alpha
  let number: Int
  init(alpha: Alpha, number: Int) { (self.alpha, self.number) = (alpha, number) }
}

/// Callers that pass their own arguments on, if they have any.
extension Container {
  fileprivate nonisolated func now<Service, each Argument: Sendable>(
    _ service: Service.Type, _ arguments: repeat each Argument
  ) throws -> sending Service {
    try resolve(service, arguments: repeat each arguments)
  }

  fileprivate nonisolated func now<Service, each Argument: Sendable>(
    _ service: Service.Type, key: String, _ arguments: repeat each Argument
  ) throws -> sending Service {
    try resolve(service, key: key, arguments: repeat each arguments)
  }

  fileprivate nonisolated func now<Service, each Argument: Sendable>(
    _ token: ServiceKey<Service>, _ arguments: repeat each Argument
  ) throws -> sending Service {
    try resolve(token, arguments: repeat each arguments)
  }

  fileprivate nonisolated func nowByProvider<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, _ arguments: repeat each Argument
  ) throws -> Service {
    try resolve(Provider<Service>.self)(repeat each arguments)
  }

  fileprivate nonisolated func later<Service, each Argument: Sendable>(
    _ service: Service.Type, _ arguments: repeat each Argument
  ) async throws -> sending Service {
    try await resolve(service, arguments: repeat each arguments)
  }

  fileprivate nonisolated func later<Service, each Argument: Sendable>(
    _ service: Service.Type, key: String, _ arguments: repeat each Argument
  ) async throws -> sending Service {
    try await resolve(service, key: key, arguments: repeat each arguments)
  }

  fileprivate nonisolated func later<Service, each Argument: Sendable>(
    _ token: ServiceKey<Service>, _ arguments: repeat each Argument
  ) async throws -> sending Service {
    try await resolve(token, arguments: repeat each arguments)
  }

  fileprivate nonisolated func laterByProvider<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, _ arguments: repeat each Argument
  ) async throws -> Service {
    try await resolve(Provider<Service>.self)(repeat each arguments)
  }
}
