import ActorDITestSupport
import Testing

@testable import ActorDI

/// Disposers that close other containers: ancestors, siblings, descendants and unrelated ones.
@Suite("Disposers that close containers", .timeLimit(.minutes(5)))
struct ClosingOrderTests {
  private let journal = Journal<String>()

  private final class Item: Sendable {}
  private final class Holder: Sendable {
    let container: Container
    init(_ container: Container) { self.container = container }
  }

  /// A container with one instance whose disposer runs `close`.
  private func container(
    _ name: String, below parent: Container? = nil, closing close: @escaping @Sendable () async throws -> Void = {}
  ) async throws -> Container {
    let registration = Registration(Item.self, scope: .scoped) { _ in Item() }
      .onDispose { [journal] _ in
        journal.note("\(name) begins")
        try await close()
        journal.note("\(name) ends")
      }
    let container =
      if let parent { parent.makeChild(name: name) { registration } } else {
        Container(name: name) { registration }
      }
    _ = try await container.resolve(Item.self)
    return container
  }

  @Test func aContainerThatEndsWhileAnotherCallClosesItsChildIsFreed() async throws {
    let (isDisposing, mayEnd) = (Gate(), Gate())
    weak var freed: Container?
    do {
      let app = Container(name: "app")
      freed = app
      let child = try await container("child", below: app) {
        isDisposing.open()
        await mayEnd.wait()
      }
      let closing = Task { try await child.shutdown() }
      try await isDisposing.passed()
      let shutdown = Task { try await app.shutdown() }
      try await until { app.lifecycle.isClosed }
      mayEnd.open()
      try await closing.value
      try await shutdown.value
    }
    try await until { freed == nil }
  }

  @Test(arguments: [Scope.singleton, .scoped])
  func aDisposerCanDisposeOfAnOwnedThatItsServiceHolds(scope: Scope) async throws {
    final class Import: Sendable {
      let session: Owned<Item>
      init(session: Owned<Item>) { self.session = session }
    }
    let app = Container { [journal] in
      Registration(Item.self) { _ in Item() }.onDispose { _ in
        await Task.yield()
        journal.note("session")
      }
      Registration(autowired: Import.self, scope: scope, initializer: Import.init).onDispose { service in
        await service.session.dispose()
        journal.note("import")
      }
    }
    try await app.withScope { _ = try await $0.resolve(Import.self) }
    try await app.shutdown()
    #expect(journal.entries == ["session", "import"])
  }

  @Test func aDisposerCanDisposeOfAnOwnedInsideAnOwned() async throws {
    final class Inner: Sendable {}
    final class Outer: Sendable {
      let inner: Owned<Inner>
      init(inner: Owned<Inner>) { self.inner = inner }
    }
    let app = Container { [journal] in
      Registration(Inner.self) { _ in Inner() }.onDispose { _ in
        await Task.yield()
        journal.note("inner")
      }
      Registration(autowired: Outer.self, initializer: Outer.init).onDispose { outer in
        await outer.inner.dispose()
        journal.note("outer")
      }
    }
    let outer = try await app.resolve(Owned<Outer>.self)
    await outer.dispose()
    #expect(journal.entries == ["inner", "outer"])
    _ = try await app.resolve(Owned<Outer>.self)
    try await app.shutdown()
    #expect(journal.entries == ["inner", "outer", "inner", "outer"])
  }

  @Test func aDisposerCanCloseAChildThatItsServiceMade() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Holder.self, scope: .singleton) { r async throws in
        Holder(r.container.makeChild(name: "child"))
      }.onDispose { holder in
        try await holder.container.shutdown()
        journal.note("holder")
      }
    }
    let holder = try await app.resolve(Holder.self)
    try await holder.container.register(Item.self, scope: .singleton) { _ in Item() }
    _ = try await holder.container.resolve(Item.self)
    try await app.shutdown(timeout: .seconds(60))
    #expect(journal.entries == ["holder"])
    #expect(ClosingOrder.closing(of: holder.container, andOneOf: [app]) == nil)
  }

  @Test("A disposer's call closes a sibling, older or younger, before it returns", arguments: [true, false])
  func closesSibling(closesTheOlder: Bool) async throws {
    let app = Container(name: "app")
    let other = Shelf<Container?>(nil)
    let (first, second): (Container, Container)
    if closesTheOlder {
      first = try await container("target", below: app)
      second = try await container("closer", below: app) { try await other.value?.shutdown() }
      other.value = first
    } else {
      first = try await container("closer", below: app) { try await other.value?.shutdown() }
      second = try await container("target", below: app)
      other.value = second
    }
    try await app.shutdown()
    let entries = journal.entries
    #expect(entries.count == 4)
    let closed = try #require(entries.firstIndex(of: "target ends"))
    #expect(closed < (try #require(entries.firstIndex(of: "closer ends"))))
    #expect(first.lifecycle.isClosed && second.lifecycle.isClosed)
  }

  @Test func siblingsCanCloseEachOther() async throws {
    let app = Container(name: "app")
    let (first, second) = (Shelf<Container?>(nil), Shelf<Container?>(nil))
    first.value = try await container("first", below: app) { try await second.value?.shutdown() }
    second.value = try await container("second", below: app) { try await first.value?.shutdown() }
    try await app.shutdown()
    #expect(journal.entries.sorted() == ["first begins", "first ends", "second begins", "second ends"])
  }

  @Test("The disposers of two unrelated containers can close each other's container")
  func closesUnrelated() async throws {
    for _ in 0..<50 {
      let (first, second) = (Shelf<Container?>(nil), Shelf<Container?>(nil))
      let (one, other) = (
        try await container("first") { try await second.value?.shutdown() },
        try await container("second") { try await first.value?.shutdown() }
      )
      (first.value, second.value) = (one, other)
      async let end: Void = one.shutdown()
      try await other.shutdown()
      try await end
      #expect(one.lifecycle.isClosed && other.lifecycle.isClosed)
      (first.value, second.value) = (nil, nil)
    }
    #expect(journal.entries.count == 200)
  }

  @Test("A child's disposer can close, through another container, the parent that is closing it")
  func closesIndirectly() async throws {
    let (app, between) = (Container(name: "app"), Shelf<Container?>(nil))
    let hasBegun = Gate()
    let child = try await container("child", below: app) {
      hasBegun.open()
      try await between.value?.shutdown()
    }
    between.value = try await container("between") { try await app.shutdown() }
    async let end: Void = child.shutdown()
    await hasBegun.wait()
    try await app.shutdown()
    try await end
    #expect(journal.entries.sorted() == ["between begins", "between ends", "child begins", "child ends"])
  }

  @Test("A disposer run by a reset can close a child that a shutdown is closing")
  func closesDuringReset() async throws {
    let (hasBegun, mayGoOn) = (Gate(), Gate())
    let child = Shelf<Container?>(nil)
    let app = try await container("app") {
      hasBegun.open()
      await mayGoOn.wait()
      try await child.value?.shutdown()
    }
    child.value = try await container("child", below: app)
    async let reset: Void = app.reset(Item.self)
    await hasBegun.wait()
    async let end: Void = app.shutdown()
    while child.value?.lifecycle.isClosed == false { await Task.yield() }
    mayGoOn.open()
    await reset
    try await end
    #expect(journal.entries == ["app begins", "app ends", "child begins", "child ends"])
  }

  @Test("Disposers that close random containers neither hang nor dispose of an instance twice")
  func closesRandomContainers() async throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let all = Shelf<[Container]>([])
      let root = Container(name: "root")
      var made = [root]
      for number in 0..<6 {
        let targets = (0..<2).map { _ in Int.random(in: 0...6, using: &random) }
        let parent = Bool.random(using: &random) ? made.randomElement(using: &random) : nil
        made.append(
          try await container("\(number)", below: parent) {
            for target in targets { try await all.value[target].shutdown() }
          })
      }
      all.value = made
      let before = journal.entries.count
      await withThrowingTaskGroup(of: Void.self) { group in
        for container in made.shuffled(using: &random) { group.addTask { try await container.shutdown() } }
      }
      #expect(journal.entries.count == before + 12)
      #expect(Set(journal.entries.dropFirst(before)).count == 12)
      all.value = []
    }
  }

  // A regression: the closing went on without the sibling, disposed of the parent's instance first, and reported the sibling as late.
  @Test func aParentWaitsForAChildThatADisposersTaskCloses() async throws {
    let (isEnding, mayEnd) = (Gate(), Gate())
    let target = Shelf<Container?>(nil)
    let app = try await container("app")
    target.value = try await container("target", below: app) {
      isEnding.open()
      await mayEnd.wait()
    }
    let closer = try await container("closer", below: app) {
      Task { try await target.value?.shutdown() }
      try await isEnding.passed()
    }
    let closing = Task { try await app.shutdown() }
    try await until { journal.entries.contains("closer ends") }
    // The closing may now have come to the target.
    for _ in 0..<100 { await Task.yield() }
    mayEnd.open()
    try await closing.value
    #expect(journal.entries.suffix(3) == ["target ends", "app begins", "app ends"])
    target.value = nil
    withExtendedLifetime(closer) {}
  }
}
