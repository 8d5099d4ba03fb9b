public import ActorDIMacros
import Testing

@Injectable final class Users: Sendable {
  let store: any Store
  let number: Int
  init(store: any Store, number: Int) {
    self.store = store
    self.number = number
  }
}

public protocol Named: Sendable { var text: String { get } }

@Injectable(as: (any Named).self, scope: .singleton, key: "greeting", eager: true)
public struct Greeting: Named {
  let store: any Store
  var suffix = "!"
  public var text: String { store.name + suffix }
}

@Injectable(as: (any Named).self, key: .plain)
struct Plain: Named { var text: String { "plain" } }

extension ServiceKey where Service == any Named { static var plain: Self { .init("plain") } }

/// A public class whose property is of an internal type.
@Injectable public final class Guests: Sendable { private let weather: (any Weather)? }

@Injectable(scope: .singleton) actor Account {
  let store: any Store
  @Key(.replica) let replica: any Store
  @Key("replica") let same: any Store
  let all: [any Store]
  let byName: [String: any Store]
  let missing: (any Weather)?
  let later: Lazy<any Store>
  let provider: Provider<Int>
  let container: Container
  private var balance = 0
  var owner: String? = nil
  func names() -> [String] { [store.name, replica.name, same.name] + all.map(\.name).sorted() + byName.keys }
}

@Injectable struct Markers: Sendable {
  let text: String
  init(
    @Key(.replica) _ store: any Store, @Argument title: String, @Key("replica") other: any Store, @Argument count: Int,
    @UseDefault limit: Int = 3, @Argument flag: Bool?
  ) {
    text = "\(store.name) \(title) \(other.name) \(count) \(limit) \(flag.map { "\($0)" } ?? "-")"
  }
}

typealias Tick = @Sendable () -> Int

@Injectable struct Ticking: Sendable {
  let sum: Int
  init(store: any Store, @Argument first: @escaping @Sendable () -> Int, @Argument second: @escaping Tick) {
    sum = first() + second()
  }
}

@Injectable struct SlowTicking: Sendable {
  let tick: Tick
  init(@Argument tick: @escaping Tick) async { self.tick = tick }
}

@Injectable final class StoredTicking: Sendable {
  let store: any Store
  @Argument let tick: @Sendable () -> Int
}

/// A regression: closures without a result crashed the compiler.
@Injectable final class Alarm: Sendable {
  @Argument let ring: @Sendable () -> Void
  @Argument let stop: @Sendable (Int) -> Void
}

@Injectable final class LocalAlarm {
  @Argument let ring: @Sendable () -> Void
  let number: Int
}

@Injectable(scope: .transient) @MainActor final class ScreenAlarm {
  @Argument let ring: @Sendable () -> Void
  let number: Int
}

@Graph struct TickingGraph {
  @Provides func alarm(@Argument ring: @escaping @Sendable () -> Void) -> Alarm { Alarm(ring: ring, stop: { _ in }) }
  @Provides func store() -> any Store { MemoryStore() }
  @Provides func ticking(store: any Store, @Argument tick: @escaping Tick) -> Ticking {
    Ticking(store: store, first: tick, second: tick)
  }
}

@Injectable final class Choosing {
  let number: Int
  init() { number = 0 }
  @Inject private init(number: Int) { self.number = number }
}

@Injectable class Base {
  var count = 0
  let number: Int
}

@Injectable(scope: .singleton) final class Opening: Sendable {
  let store: any Store
  init(store: any Store) async throws {
    await Task.yield()
    self.store = store
  }
}

@Injectable struct Half: Sendable {
  let half: Double
  init(half: Double) throws { self.half = half }
}

@Injectable struct Checked: Sendable {
  let number: Int
  init?(_ number: Int) {
    guard number < 7 else { return nil }
    self.number = number
  }
}

@Injectable struct Failing: Sendable {
  init() throws(Failure) { throw Failure() }
}

@Injectable @MainActor final class Screen {
  let store: any Store
  var title = "untitled"
}

@Injectable final class Panel: Sendable {
  let half: Double
  @MainActor init(half: Double) { self.half = half }
}

@Injectable(scope: .singleton) @DatabaseActor final class Index {
  let store: any Store
  init(store: any Store) { self.store = store }
}

@Injectable(scope: .singleton) final class Rows: Sendable {
  let name: String
  @DatabaseActor init(store: any Store) throws { name = store.name }
}

@globalActor actor Worker { static let shared = Worker() }

@Worker class Job {}

@Injectable(scope: .singleton, isolation: Worker.self) final class Import: Job {
  let store: any Store
}

@Injectable(isolation: Worker.self) final class Export: Sendable {
  let name: String
  @Worker init(store: any Store) throws { name = store.name }
}

@Injectable struct Box<Content: Sendable>: Sendable { let content: Content }

enum Outer {
  @Injectable struct Inner: Sendable {
    let resolver: Resolver
    let work: @Sendable () -> Int
  }
}

@Injectable struct Many: Sendable {
  let a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int
  let b1, b2, b3, b4, b5, b6, b7: Int
  var sum: Int { [a1, a2, a3, a4, a5, a6, a7, b1, b2, b3, b4, b5, b6, b7].reduce(0, +) }
}

extension ServiceKey where Service == any Named {
  static var spare: Self { Self("spare") { Registration { _ in Plain() } } }
}

@Injectable struct Labelled: Sendable {
  @Key(.spare) let label: any Named
}

@Suite("@Injectable")
struct InjectableTests {
  private func container(@RegistrationBuilder _ registrations: @escaping @Sendable () -> Registrations) throws
    -> Container
  {
    let container = Container {
      services
      registrations()
    }
    try container.validate()
    return container
  }

  /// Resolves as synchronous code does.
  private func now<Service: Sendable>(_ type: Service.Type, in container: Container) throws -> Service {
    try container.resolve(type)
  }

  @Test func callsTheInitialiser() throws {
    let container = try container { Users.registration }
    let users = try now(Users.self, in: container)
    #expect(users.store.name == "memory" && users.number == 7)
    let info = try #require(container.registrations.last)
    #expect(info.dependencies.map(\.description) == ["any Store", "Int"])
    #expect("\(info.source)".contains("InjectableTests.swift:4"))
  }

  @Test func takesTheArgumentsOfTheAttribute() async throws {
    let container = try container {
      Greeting.registration
      Plain.registration
    }
    try await container.start()
    #expect(try await container.resolve((any Named).self, key: "greeting").text == "memory!")
    #expect(try await container.resolve(.plain).text == "plain")
    #expect(container.instances.contains { $0.key as? String == "greeting" })
  }

  @Test func aTokenBringsItsDefaultAlong() throws {
    let container = try container { Labelled.registration }
    #expect(try now(Labelled.self, in: container).label.text == "plain")
    #expect(container.registrations.contains { $0.key as? String == "spare" })
  }

  @Test func injectsProperties() async throws {
    let container = try container { Account.registration }
    let account = try await container.resolve(Account.self)
    #expect(await account.names() == ["memory", "replica", "replica", "memory", "replica", "replica"])
    #expect(try await account.later().name == "memory")
    #expect(try await account.provider() == 7 && account.container === container)
    #expect(try await container.resolve(Account.self) === account)
  }

  @Test func aPublicTypeMayHavePropertiesOfInternalTypes() throws {
    let container = try container { Guests.registration }
    #expect(try now(Guests.self, in: container) !== now(Guests.self, in: container))
  }

  @Test func obeysMarkers() throws {
    let container = try container { Markers.registration }
    let markers = try container.resolve(Markers.self, arguments: "title", 2, true as Bool?)
    #expect(markers.text == "replica title replica 2 3 true")
  }

  @Test func passesClosures() async throws {
    let container = try container {
      Ticking.registration
      SlowTicking.registration
      StoredTicking.registration
      TickingGraph().registrations
      Alarm.registration
      LocalAlarm.registration
      ScreenAlarm.registration
    }
    let tick: Tick = { 3 }
    #expect(try await container.resolve(Ticking.self, arguments: tick, tick).sum == 6)
    #expect(try await container.resolve(SlowTicking.self, arguments: tick).tick() == 3)
    #expect(try await container.resolve(StoredTicking.self, arguments: tick).tick() == 3)
    #expect(try await container.resolve(Ticking.self, arguments: tick).sum == 6)
    await confirmation(expectedCount: 4) { confirm in
      let ring: @Sendable () -> Void = { confirm() }
      let stop: @Sendable (Int) -> Void = { _ in }
      await #expect(throws: Never.self) {
        try await container.resolve(Alarm.self, arguments: ring, stop).ring()
        try await container.resolve(Alarm.self, arguments: ring).ring()
        try await container.resolve(LocalAlarm.self, arguments: ring).ring()
        try await container.resolve(ScreenAlarm.self, arguments: ring).ring()
      }
    }
  }

  @Test func choosesAnInitialiser() throws {
    let container = try container {
      Choosing.registration
      Base.registration
      Many.registration
    }
    let (choosing, base): (Choosing, Base) = (try container.resolve(), try container.resolve())
    #expect(choosing.number == 7 && base.number == 7)
    #expect(try now(Many.self, in: container).sum == 14 * 7)
  }

  @Test func preservesEffects() async throws {
    let container = try container {
      Opening.registration
      Half.registration
      Checked.registration
      Failing.registration
    }
    #expect(try await container.resolve(Opening.self).store.name == "memory")
    // A synchronous initialiser with an asynchronous dependency.
    #expect(try await container.resolve(Half.self).half == 0.5)
    let error = #expect(throws: ResolutionError.self) { try now(Half.self, in: container) }
    #expect(error?.code == .asyncRequired)
    #expect(try await container.resolve(Checked?.self) == nil)
    #expect(throws: Failure()) { try now(Failing.self, in: container) }
  }

  @Test func preservesIsolation() async throws {
    let container = try container {
      Screen.registration
      Panel.registration
      Index.registration
      Rows.registration
      Import.registration
      Export.registration
    }
    #expect(try await container.resolve(Screen.self).store.name == "memory")
    #expect(try await container.resolve(Panel.self).half == 0.5)
    #expect(try await container.resolve(Index.self).store.name == "memory")
    #expect(try await container.resolve(Rows.self).name == "memory")
    #expect(try await container.resolve(Import.self).store.name == "memory")
    #expect(try await container.resolve(Export.self).name == "memory")
    let title = try await MainActor.run { try container.resolve(Screen.self).title }
    #expect(title == "untitled")
  }

  @Test func registersGenericAndNestedTypes() throws {
    let container = try container {
      Box<Int>.registration
      Outer.Inner.registration
      Registration((@Sendable () -> Int).self) { _ in { 3 } }
    }
    #expect(try now(Box<Int>.self, in: container).content == 7)
    #expect(try now(Outer.Inner.self, in: container).work() == 3)
  }
}
