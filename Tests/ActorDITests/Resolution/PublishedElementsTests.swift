import ActorDITestSupport
import Testing

@testable import ActorDI

/// A key whose comparison runs a closure, once.
private struct WatchedKey: Hashable, Sendable {
  typealias Watch = Shelf<(@Sendable () -> Void)?>

  let name: String
  let atComparison: Watch

  static func == (left: Self, right: Self) -> Bool {
    if let run = left.atComparison.value {
      left.atComparison.value = nil
      run()
    }
    return left.name == right.name
  }

  func hash(into hasher: inout Hasher) {}
}

private struct Settings: Sendable { let numbers: [Int] }

/// A container publishes the list of a collection's elements at the first request. Each change must be seen by the next one.
@Suite("Published lists of elements", .timeLimit(.minutes(5)))
struct PublishedElementsTests {
  private func numbers(of container: Container) async throws -> [Int] {
    let first = try sync { try container.resolve([Int].self) }
    #expect(try sync { try container.resolve([Int].self) } == first)
    #expect(try await container.resolve([Int].self) == first)
    #expect(try sync { try container.resolve([String: Int].self) }.values.sorted() == first.sorted())
    return first
  }

  private func root() -> Container {
    Container(name: "root") {
      Registration(Int.self) { _ in 1 }.key("one")
      Registration(Int.self) { _ in 2 }.key("two")
    }
  }

  private func publishes(_ container: Container) -> Bool { container.elementLists.current != nil }

  @Test func aChangeOfTheContainerIsSeen() async throws {
    let container = root()
    #expect(try await numbers(of: container) == [1, 2])
    #expect(publishes(container))
    try await container.register(Int.self, key: "three") { _ in 3 }
    #expect(!publishes(container), "The list holds bindings that may have been removed")
    #expect(try await numbers(of: container) == [1, 2, 3])
    try await container.register(Int.self, key: "one") { _ in 10 }
    #expect(try await numbers(of: container) == [2, 3, 10])
    await container.unregister(Int.self, key: "two")
    #expect(try await numbers(of: container) == [3, 10])
    await container.push()
    try await container.register(Int.self, key: "four") { _ in 4 }
    #expect(try await numbers(of: container) == [3, 10, 4])
    await container.pop()
    #expect(try await numbers(of: container) == [3, 10])
  }

  @Test func aChangeOfAParentIsSeen() async throws {
    let root = root()
    let child = root.makeChild(name: "child") { Registration(Int.self) { _ in 5 }.key("five") }
    let leaf = child.makeChild(name: "leaf")
    #expect(try await numbers(of: leaf) == [1, 2, 5])
    #expect(publishes(child) && !publishes(leaf) && !publishes(root), "The child is the nearest with elements")
    try await root.register(Int.self, key: "three") { _ in 3 }
    #expect(try await numbers(of: leaf) == [1, 2, 3, 5])
    #expect(try await numbers(of: child) == [1, 2, 3, 5])
    #expect(try await numbers(of: root) == [1, 2, 3])
    try await leaf.register(Int.self, key: "two") { _ in 20 }
    #expect(try await numbers(of: leaf) == [1, 3, 5, 20])
    #expect(try await numbers(of: child) == [1, 2, 3, 5])
  }

  @Test func scopesShareTheListOfTheirParent() async throws {
    let root = root()
    try await root.withScope("request") { (scope) async throws in
      #expect(try await numbers(of: scope) == [1, 2])
      #expect(publishes(root) && !publishes(scope))
    }
    try await root.withScope("request") {
      Registration(Int.self) { _ in 7 }.key("seven")
    } operation: { (scope) async throws in
      #expect(try await numbers(of: scope) == [1, 2, 7])
      #expect(!publishes(scope), "No other request asks a scope of one request")
    }
    #expect(try await numbers(of: root) == [1, 2])
  }

  @Test func linksAndDecoratorsOfOtherContainersAreSeen() async throws {
    let root = root()
    let child = root.makeChild(name: "child")
    #expect(try await numbers(of: child) == [1, 2])
    let other = Container(name: "other") { Registration(Int.self) { _ in 8 }.key("eight") }
    let link = child.link(other)
    #expect(try await numbers(of: child) == [1, 2, 8])
    try await child.decorate(Int.self) { _, inner in -inner }
    #expect(try await numbers(of: child) == [-1, -2, -8])
    #expect(try await numbers(of: root) == [1, 2])
    link.cancel()
    #expect(try await numbers(of: child) == [-1, -2])
    try await root.decorate(Int.self) { _, inner in inner * 10 }
    #expect(try await numbers(of: root) == [10, 20])
    #expect(publishes(root))
  }

  @Test func overridesAreSeen() async throws {
    let root = root()
    #expect(try await numbers(of: root) == [1, 2])
    try await root.withOverrides {
      Registration(Int.self) { _ in 20 }.key("two")
    } operation: { () async throws in
      #expect(try await numbers(of: root) == [1, 20])
    }
    #expect(try await numbers(of: root) == [1, 2])
  }

  @Test func aCompositeGetsTheOthersThoughAListIsPublished() async throws {
    let container = root()
    try await container.register(Settings.self) { Settings(numbers: try $0.resolve([Int].self)) }
    try await container.register(Int.self, key: "sum") { try $0.resolve([Int].self).reduce(0, +) }
    #expect(try await numbers(of: container) == [1, 2, 3])
    #expect(publishes(container))
    #expect(try sync { try container.resolve(Int.self, key: "sum") } == 3)
    #expect(try await container.resolve(Int.self, key: "sum") == 3)
    #expect(try await container.resolve(Settings.self).numbers == [1, 2, 3])
  }

  /// The list of the call lives as long as the call, although the change replaces the published one.
  @Test func anElementMayChangeTheRegistrations() async throws {
    let container = Container()
    try await container.register {
      Registration(Int.self) { _ in
        var batch = Registrations { Registration(Int.self) { _ in 9 }.key("late") }.takeWanted()
        try container.add(&batch)
        return 1
      }
      .key("one")
      Registration(Int.self) { _ in 2 }.key("two")
    }
    #expect(try sync { try container.resolve([Int].self) } == [1, 2])
    #expect(try sync { try container.resolve([Int].self) } == [1, 2, 9])
  }

  @Test func aClosedContainerHasNoList() async throws {
    let container = root()
    #expect(try await numbers(of: container) == [1, 2])
    try await container.shutdown()
    #expect(!publishes(container))
    #expect(throws: ResolutionError.self) { _ = try sync { try container.resolve([Int].self) } }
  }

  @Test func aListKeepsNeitherItsContainerNorARemovedFactoryAlive() async throws {
    let (removed, kept) = (ObjectLifetime(), ObjectLifetime())
    weak var freed: Container?
    do {
      let (first, second) = (removed.token(), kept.token())
      let container = Container {
        Registration(Int.self) { _ in withExtendedLifetime(first) { 1 } }.key("one")
        Registration(Int.self) { _ in withExtendedLifetime(second) { 2 } }.key("two")
      }
      #expect(try await numbers(of: container) == [1, 2])
      await container.unregister(Int.self, key: "one")
      freed = container
    }
    try await removed.ended.passed()
    #expect(freed == nil)
    try await kept.ended.passed()
  }

  @Test func aContainerPublishesTheLatestLists() async throws {
    let container = root()
    for key in 0..<100 {
      let elements = try sync { try container.resolve([Int].self, key: key) }
      #expect(elements.isEmpty)
    }
    #expect(container.elementLists.current?.borrow { $0.entries.count } == 16)
    #expect(try await numbers(of: container) == [1, 2])
  }

  // A regression: the list contained an element of the child, which the other child then got.
  @Test func aListHasNoElementOfAContainerBelowItsPublisher() async throws {
    let watch = WatchedKey.Watch(nil)
    let (one, two) = (WatchedKey(name: "one", atComparison: watch), WatchedKey(name: "two", atComparison: watch))
    let root = Container(name: "root") { Registration(Int.self) { _ in 1 }.key(one) }
    let (child, other) = (root.makeChild(name: "child"), root.makeChild(name: "other"))
    #expect(try sync { try root.resolve([Int].self, key: one) } == [1])
    #expect(publishes(root))
    // The request has then seen that the child has no element.
    let numbers = try await numbers(of: two, in: child, watch) {
      try await child.register(Int.self, key: two) { _ in 2 }
    }
    #expect(watch.value == nil && numbers == [2])
    #expect(try sync { try other.resolve([Int].self, key: two) }.isEmpty)
  }

  // A regression: such a list stayed published until the next request, and could keep removed factories alive.
  @Test func aListThatIsMadeDuringAChangeDoesNotOutliveIt() async throws {
    let watch = WatchedKey.Watch(nil)
    let (one, two) = (WatchedKey(name: "one", atComparison: watch), WatchedKey(name: "two", atComparison: watch))
    let container = Container {
      Registration(Int.self) { _ in 1 }.key(one)
      Registration(Int.self) { _ in 2 }.key(two)
      Registration(Int.self) { _ in 3 }.key("three")
    }
    #expect(try sync { try container.resolve([Int].self, key: one) } == [1])
    #expect(publishes(container))
    // The request has then looked at the version.
    let numbers = try await numbers(of: two, in: container, watch) {
      _ = await container.unregister(Int.self, key: "three")
    }
    #expect(watch.value == nil && numbers == [2])
    #expect(!publishes(container))
  }

  /// The elements of a key. They are requested on a thread, and the change is made when the request compares the key with that of the
  /// published list.
  private func numbers(
    of key: WatchedKey, in container: Container, _ watch: WatchedKey.Watch,
    changing change: @escaping @Sendable () async throws -> Void
  ) async throws -> [Int] {
    let isChanged = Gate()
    return try await onThread {
      watch.value = {
        Task.detached {
          try await change()
          isChanged.open()
        }
        isChanged.block()
      }
      return try container.resolve([Int].self, key: key)
    }
  }
}
