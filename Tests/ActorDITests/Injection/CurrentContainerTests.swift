import ActorDI
import ActorDITestSupport
import Testing

/// The container that is current for a task.
@Suite("Current container", .timeLimit(.minutes(5)))
struct CurrentContainerTests {
  @Test func theRootIsCurrentUnlessATaskSetsAnother() async throws {
    #expect(Container.current === Container.root)
    #expect(Container.root.name == "root")
    let container = Container(name: "inner")
    let seen = Container.withCurrent(container) { Container.current }
    #expect(seen === container)
    #expect(Container.current === Container.root)
    Container.$current.withValue(container) { #expect(Container.current === container) }
  }

  @Test func childTasksInheritTheCurrentContainer() async throws {
    let container = Container(name: "outer")
    let other = Container(name: "inner")
    let names = await Container.withCurrent(container) {
      async let child = Container.current.name
      let inner = await Container.withCurrent(other) {
        await Task.yield()
        return Container.current.name
      }
      let detached = await Task.detached { Container.current.name }.value
      return await [child, inner, Container.current.name, detached]
    }
    #expect(names == ["outer", "inner", "outer", "root"])
  }

  @Test func withCurrentRethrowsErrors() async {
    let container = Container()
    #expect(throws: Boom(number: 1)) {
      try Container.withCurrent(container) { throw Boom(number: 1) }
    }
    await #expect(throws: Boom(number: 2)) {
      try await Container.withCurrent(container) {
        await Task.yield()
        throw Boom(number: 2)
      }
    }
  }

  @Test @MainActor func withCurrentStaysOnTheCallersActor() async {
    let container = Container()
    await Container.withCurrent(container) {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
    }
  }

  @Test func injectedPropertiesFindServicesOfTheRoot() async throws {
    struct Registered: Sendable {}
    try await Container.root.register { Registered() }
    _ = try await Injected<Registered>()()
    #expect(Injected<Registered?>().wrappedValue != nil)
    await Container.root.unregister(Registered.self)
    #expect(Injected<Registered?>().wrappedValue == nil)
  }

  @Test func aContainerRunsAnOperationAsTheCurrentOne() async throws {
    let container = Container(name: "mine") { Registration(Int.self) { _ in 3 } }
    try container.withCurrent { () throws in #expect(try Injected<Int>()() == 3) }
    let names = await container.withCurrent { () async in
      async let child = Container.current.name
      return await [child, Container.current.name]
    }
    #expect(names == ["mine", "mine"])
    #expect(Container.current === Container.root)
    #expect(throws: Boom(number: 1)) { try container.withCurrent { throw Boom(number: 1) } }
  }
}
