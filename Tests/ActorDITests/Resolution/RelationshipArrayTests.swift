import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Choir: Sendable {
  let voices: [any Greeter]
}

/// `[T]` as a service: all visible registrations of `T`.
@Suite("Collections of services", .timeLimit(.minutes(5)))
struct RelationshipArrayTests {
  private func both<Element: Sendable>(
    _ type: [Element].Type, in container: Container
  ) async throws -> [Element] {
    let asynchronous = try await container.resolve(type)
    let synchronous = try sync { try container.resolve(type) }
    #expect(asynchronous.count == synchronous.count)
    return synchronous
  }

  @Test func anArrayWithoutRegistrationsIsEmpty() async throws {
    let container = Container()
    #expect(try await both([Setting].self, in: container).isEmpty)
    #expect(try await container.resolve([Setting].self, key: "k").isEmpty)
  }

  @Test func anArrayHoldsAllElementsInOrderOfRegistration() async throws {
    let container = Container {
      Registration((any Greeter).self) { _ in Polite() }.key("z")
      Registration((any Greeter).self) { _ in Casual() }
      Registration(ValueGreeter.self) { _ in ValueGreeter() }
        .implements((any Greeter).self, key: 1) { $0 }
      Registration((any Greeter).self) { _ in ValueGreeter(words: "Hey") }.key("a")
    }
    let words = try await both([any Greeter].self, in: container).map { $0.greet() }
    #expect(words == ["Good day", "Hi", "Hello", "Hey"])
  }

  @Test func aReplacementMovesToTheEnd() async throws {
    let container = Container {
      for number in 1...3 { Registration(Int.self) { _ in number }.key(number) }
    }
    try await container.register(Int.self, key: 1) { _ in 10 }
    #expect(try await Set(both([Int].self, in: container)) == [2, 3, 10])
    #expect(
      container.registrations.map { $0.key as? Int } == [2, 3, 1],
      "The list of registrations has the order of the array")
    #expect(try await both([Int].self, in: container) == [2, 3, 10])
  }

  @Test func theParentsElementsComeFirstWithoutHiddenOnes() async throws {
    let root = Container {
      Registration(Int.self) { _ in 1 }
      Registration(Int.self) { _ in 2 }.key("two")
      Registration(Int.self) { _ in 3 }.key("three")
    }
    let middle = Container(parent: root) { Registration(Int.self) { _ in 4 }.key("four") }
    let leaf = Container(parent: middle) {
      Registration(Int.self) { _ in 20 }.key("two")
      Registration(Int.self) { _ in 5 }.key("five")
    }
    #expect(try await both([Int].self, in: root) == [1, 2, 3])
    #expect(try await both([Int].self, in: middle) == [1, 2, 3, 4])
    #expect(try await both([Int].self, in: leaf) == [1, 3, 4, 20, 5])
  }

  @Test func anArrayByKeyHoldsTheElementsWithThatKey() async throws {
    let root = Container { Registration(Int.self) { _ in 1 }.key("k") }
    let container = Container(parent: root) {
      Registration(Int.self) { _ in 2 }
      Registration(Int.self) { _ in 3 }.key("other")
    }
    #expect(try await container.resolve([Int].self, key: "k") == [1])
    #expect(try await container.resolve([Int].self, key: "other") == [3])
    #expect(try await container.resolve([Int].self, key: "none") == [])
  }

  @Test func registrationsWithArgumentsAreOmitted() async throws {
    let container = Container {
      Registration(Int.self) { _ in 1 }
      Registration(Int.self) { (_, number: Int) in number }
      Registration(Int.self) { (_, number: Int) in number }.key("k")
    }
    #expect(try await both([Int].self, in: container) == [1])
  }

  @Test func keptElementsAreSharedWithOtherResolves() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe("a") }
      Registration(Probe.self, scope: .singleton) { _ in
        await Task.yield()
        return Probe("b")
      }.key("b")
    }
    let error = try resolutionError { try container.resolve([Probe].self) }
    #expect(error.code == .asyncRequired)
    let probes = try await container.resolve([Probe].self)
    let again = try sync { try container.resolve([Probe].self) }
    #expect(probes.map(\.name) == ["a", "b"])
    #expect(probes[0] === again[0] && probes[1] === again[1])
    #expect(try await container.resolve(Probe.self, key: "b") === probes[1])
  }

  @Test func elementsShareTheCallsGraph() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .graph) { _ in Alpha() }
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(autowired: Beta.self, initializer: Beta.init).key("other")
    }
    let betas = try await container.resolve([Beta].self)
    #expect(betas[0] !== betas[1] && betas[0].alpha === betas[1].alpha)
    let others = try sync { try container.resolve([Beta].self) }
    #expect(others[0].alpha === others[1].alpha && others[0].alpha !== betas[0].alpha)
  }

  @Test func aRegistrationOfTheArrayTypeOverridesTheCollection() async throws {
    let container = Container {
      Registration(Int.self) { _ in 1 }
      Registration([Int].self) { _ in [7, 8] }
    }
    #expect(try await both([Int].self, in: container) == [7, 8])
    #expect(try await container.resolve([Int]?.self) == [7, 8])
  }

  @Test func aFailingElementFailsTheArray() async throws {
    let container = Container {
      Registration(Int.self) { _ in 1 }
      Registration(Int.self) { _ -> Int in throw Boom(number: 6) }.key("bad")
    }
    await #expect(throws: Boom(number: 6)) { try await container.resolve([Int].self) }
    #expect(throws: Boom(number: 6)) { try sync { try container.resolve([Int].self) } }
  }

  @Test func anArrayCanBeAParameter() async throws {
    let container = Container {
      Registration(autowired: Choir.self, initializer: Choir.init)
    }
    #expect(try await container.resolve(Choir.self).voices.isEmpty)
    try await container.register {
      Registration((any Greeter).self) { _ in Polite() }
      Registration((any Greeter).self) { _ in Casual() }.key(2)
    }
    #expect(
      try await container.resolve(Choir.self).voices.map { $0.greet() } == ["Good day", "Hi"])
  }

  @Test func aParentsKeptServiceGetsOnlyTheParentsElements() async throws {
    let parent = Container {
      Registration(Int.self) { _ in 1 }
      Registration(autowired: String.self, scope: .singleton) { (all: [Int]) in "\(all)" }
    }
    let child = Container(parent: parent) { Registration(Int.self) { _ in 2 }.key("mine") }
    #expect(try await child.resolve(String.self) == "[1]")
    #expect(try await child.resolve([Int].self) == [1, 2])
  }

  // MARK: The end of a container

  // A regression: the collection handed out the instances that were being disposed of. It failed because of those not yet built.
  @Test func anArrayHoldsNoElementOfALinkedContainerThatCloses() async throws {
    let (disposing, mayEnd) = (Gate(), Gate())
    defer { mayEnd.open() }
    let linked = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
        .onDispose { (_: Alpha) async in
          disposing.open()
          await mayEnd.wait()
        }
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.key("unbuilt")
    }
    let user = Container()
    user.link(linked)
    _ = try await user.resolve(Alpha.self)
    let end = Task { try await linked.shutdown() }
    try await disposing.passed()
    #expect(try await user.resolve(Alpha?.self) == nil)
    #expect(try await both([Alpha].self, in: user).isEmpty)
    mayEnd.open()
    try await end.value
    #expect(try await both([Alpha].self, in: user).isEmpty)
  }

  // A regression: the collection got and built the instances of a container that refused calls for the single service.
  @Test func anArrayWithElementsOfALinkedContainerThatDrainsIsForBuildsOnly() async throws {
    let linked = Container { Registration(Alpha.self, scope: .singleton) { _ in Alpha() } }
    let user = Container { Registration(Root.self) { r in Root(try r.resolve([Alpha].self).first) } }
    user.link(linked)
    let lazies = [try await user.resolve(Lazy<[Alpha]>.self), try await user.resolve(Lazy<[Alpha]>.self)]
    try await linked.withScope { _ in
      linked.lifecycle.beginDraining()
      linked.withdrawRegistry()
      #expect(try await asyncResolutionError { try await user.resolve([Alpha].self) }.code == .closed)
      #expect(try resolutionError { try user.resolve([Alpha].self) }.code == .closed)
      let alpha = try #require(try await user.resolve(Root.self).next as? Alpha)
      #expect(try await lazies[0]().first === alpha)
      #expect(try sync { try lazies[1].synchronously() }.first === alpha)
    }
  }

  // A regression: an element that was found before the closing was handed out while its disposer ran.
  @Test func anArrayIsRefusedIfItsContainerClosesMeanwhile() async throws {
    let (began, mayGoOn, disposing, mayEnd) = (Gate(), Gate(), Gate(), Gate())
    defer {
      mayGoOn.open()
      mayEnd.open()
    }
    let container = Container {
      Registration(Probe.self) { _ in
        began.open()
        mayGoOn.block()
        return Probe()
      }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
        .onDispose { (_: Probe) async in
          disposing.open()
          await mayEnd.wait()
        }
        .key("kept")
    }
    _ = try await container.resolve(Probe.self, key: "kept")
    let array = Task { try await onThread { try container.resolve([Probe].self).count } }
    try await began.passed()
    let end = Task { try await container.shutdown() }
    try await disposing.passed()
    mayGoOn.open()
    #expect(try await asyncResolutionError { try await array.value }.code == .closed)
    mayEnd.open()
    try await end.value
  }
}
