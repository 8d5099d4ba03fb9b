import ActorDITestSupport
import Testing

@testable import ActorDI

private enum Plan: Hashable, Sendable {
  case free
  case paid(months: Int)
}

private struct Region: Hashable, Sendable {
  let name: String
  let zone: Int
}

extension ServiceKey where Service == Probe {
  fileprivate static var primary: Self { .init("primary") }
  fileprivate static var alsoPrimary: Self { .init("primary") }
  fileprivate static var numbered: Self { .init(7) }
  fileprivate static func plan(_ plan: Plan) -> Self { .init(plan) }
}

@Suite("Keys")
struct KeyTests {
  @Test func aKeyCanHaveAnyHashableType() async throws {
    let container = Container {
      Registration(Probe.self) { _ in Probe("none") }
      Registration(Probe.self) { _ in Probe("string") }.key("a")
      Registration(Probe.self) { _ in Probe("free") }.key(Plan.free)
      Registration(Probe.self) { _ in Probe("paid 1") }.key(Plan.paid(months: 1))
      Registration(Probe.self) { _ in Probe("paid 2") }.key(Plan.paid(months: 2))
      Registration(Probe.self) { _ in Probe("region") }.key(Region(name: "eu", zone: 1))
      Registration(Probe.self) { _ in Probe("array") }.key([1, 2])
      Registration(Probe.self) { _ in Probe("type") }.key(ObjectIdentifier(Probe.self))
    }
    func check(_ key: some Hashable & Sendable, _ name: String) async throws {
      #expect(try sync { try container.resolve(Probe.self, key: key) }.name == name)
      #expect(try await container.resolve(Probe.self, key: key).name == name)
      #expect(container.contains(Probe.self, key: key))
    }
    #expect(try await container.resolve(Probe.self).name == "none")
    try await check("a", "string")
    try await check(Plan.free, "free")
    try await check(Plan.paid(months: 1), "paid 1")
    try await check(Plan.paid(months: 2), "paid 2")
    try await check(Region(name: "eu", zone: 1), "region")
    try await check([1, 2], "array")
    try await check(ObjectIdentifier(Probe.self), "type")
    #expect(container.contains(Probe.self, key: Plan.paid(months: 3)) == false)
    #expect(container.contains(Probe.self, key: "b") == false)
  }

  @Test func keysOfDifferentTypesDiffer() throws {
    let container = Container {
      Registration(Probe.self) { _ in Probe("Int") }.key(1)
      Registration(Probe.self) { _ in Probe("UInt") }.key(UInt(1))
      Registration(Probe.self) { _ in Probe("Int8") }.key(Int8(1))
      Registration(Probe.self) { _ in Probe("String") }.key("1")
      Registration(Probe.self) { _ in Probe("Character") }.key(Character("1"))
      Registration(Probe.self) { _ in Probe("Substring") }.key(Substring("1"))
    }
    #expect(container.registrationCount == 6)
    #expect(try container.resolve(Probe.self, key: 1).name == "Int")
    #expect(try container.resolve(Probe.self, key: UInt(1)).name == "UInt")
    #expect(try container.resolve(Probe.self, key: Int8(1)).name == "Int8")
    #expect(try container.resolve(Probe.self, key: "1").name == "String")
    #expect(try container.resolve(Probe.self, key: Character("1")).name == "Character")
    #expect(try container.resolve(Probe.self, key: Substring("1")).name == "Substring")
  }

  @Test(arguments: [Scope.transient, .singleton, .shared, .scoped])
  func anOptionalKeyEqualsItsWrappedKey(scope: Scope) async throws {
    let (none, some, deep): (String?, String?, String???) = (nil, "a", "a")
    let container = Container {
      Registration(Probe.self, scope: scope) { _ in Probe("none") }.key("b").key(none)
      Registration(Probe.self, scope: scope) { _ in Probe("a") }.key(some)
      Registration(Probe.self, scope: scope) { (_, number: Int) in Probe("a\(number)") }.key(deep)
      Registration(Polite.self, scope: scope) { _ in Polite() }.implements((any Greeter).self, key: some) { $0 }
    }
    for asked in [container, container.makeChild()] {
      for _ in 1...2 {
        #expect(try await asked.resolve(Probe.self, key: none).name == "none")
        #expect(try sync { try asked.resolve(Probe.self, key: none) }.name == "none")
        #expect(try sync { try asked.resolve(Probe.self, key: String???.some(nil)) }.name == "none")
        #expect(try await asked.resolve(Probe.self).name == "none")
        for key in [some, "a"] {
          #expect(try await asked.resolve(Probe.self, key: key).name == "a")
          #expect(try sync { try asked.resolve(Probe.self, key: key) }.name == "a")
        }
        #expect(try await asked.resolve(Probe.self, key: "a").name == "a")
        #expect(try sync { try asked.resolve(Probe.self, key: deep) }.name == "a")
        #expect(try await asked.resolve(Probe.self, key: some, arguments: 5).name == "a5")
        #expect(try await asked.resolve(ServiceKey<Probe>(some)).name == "a")
        #expect(try sync { try asked.resolve(ServiceKey<Probe>(none)) }.name == "none")
        #expect(try await asked.resolve(Probe?.self, key: none)?.name == "none")
        #expect(try await asked.resolve(Lazy<Probe>.self, key: some)().name == "a")
        #expect(try await asked.resolveAny(Probe.self, key: some) is Probe)
      }
      #expect(try await asked.resolve((any Greeter).self, key: "a") is Polite)
      #expect(asked.contains(Probe.self, key: none) && asked.contains(Probe.self, key: some))
      #expect(!asked.contains(Probe.self, key: Int?(1)))
      #expect(try asked.provider(for: Probe.self, key: some).synchronously().name == "a")
      #expect(try asked.withResolved(Probe.self, key: none) { $0.name } == "none")
    }
    let error = try resolutionError { try container.resolve(Probe.self, key: String?("c")) }
    #expect(error.key as? String == "c" && error.path == [#"Probe["c"]"#])
    #expect(await container.unregister(Probe.self, key: some))
    #expect(!container.contains(Probe.self, key: "c"))
    #expect(await container.unregister(Probe.self, key: none))
    #expect(try resolutionError { try container.resolve(Probe.self) }.code == .notRegistered)
  }

  @Test func canonicallyEqualStringKeysAreEqual() throws {
    // The key is spelled in two ways. Swift's strings are equal if their canonical forms are.
    let container = Container { Registration(Probe.self) { _ in Probe("é") }.key("caf\u{E9}") }
    #expect(try container.resolve(Probe.self, key: "cafe\u{301}").name == "é")
  }

  @Test func keysWithEqualHashesDiffer() throws {
    struct Clash: Hashable, Sendable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    let container = Container {
      for number in 0..<100 {
        Registration(Probe.self) { _ in Probe("\(number)") }.key(Clash(number: number))
      }
    }
    for number in 0..<100 {
      #expect(try container.resolve(Probe.self, key: Clash(number: number)).name == "\(number)")
    }
    #expect(container.contains(Probe.self, key: Clash(number: 100)) == false)
  }

  @Test func aTokenEqualsItsStringAndOtherTokensOfThatString() async throws {
    let container = Container {
      Registration(.primary, scope: .singleton) { _ in Probe("token") }
      Registration(.numbered) { _ in Probe("seven") }
      Registration(.plan(.free)) { _ in
        await Task.yield()
        return Probe("plan")
      }
    }
    let probe = try sync { try container.resolve(.primary) }
    #expect(try sync { try container.resolve(.alsoPrimary) } === probe)
    #expect(try await container.resolve(Probe.self, key: "primary") === probe)
    #expect(try await container.resolve(.primary) === probe)
    #expect(try await container.resolve(Probe.self, key: "pri" + "mary") === probe)
    #expect(try await container.resolve(.numbered).name == "seven")
    #expect(try await container.resolve(Probe.self, key: 7).name == "seven")
    #expect(try await container.resolve(.plan(.free)).name == "plan")
    #expect(try await container.resolve(Probe.self, key: Plan.free).name == "plan")
  }

  @Test func aTokenFindsLaterRegistrationsByString() async throws {
    let container = Container()
    let error = try sync { try resolutionError { try container.resolve(.primary) } }
    #expect(error.code == .notRegistered && error.key as? String == "primary")
    try await container.register(Probe.self, key: "primary", scope: .singleton) { _ in Probe("first") }
    #expect(try await container.resolve(.primary).name == "first")
    #expect(try await container.resolve(.primary).name == "first")
    try await container.register(Registration(.primary) { _ in Probe("second") })
    #expect(try await container.resolve(.primary).name == "second")
    #expect(try await container.resolve(Probe.self, key: "primary").name == "second")
    #expect(await container.unregister(Probe.self, key: "primary"))
    let gone = try await asyncResolutionError { try await container.resolve(.primary) }
    #expect(gone.code == .notRegistered)
    try await container.register(Probe.self, key: "primary") { _ in Probe("third") }
    #expect(try await container.resolve(.primary).name == "third")
  }

  @Test func aTokenFindsItsServiceInAParent() throws {
    let parent = Container { Registration(.primary, scope: .singleton) { _ in Probe("parent") } }
    let child = Container(parent: parent)
    #expect(try child.resolve(.primary) === parent.resolve(.primary))
    #expect(try child.resolve(.primary) === parent.resolve(.alsoPrimary))
  }

  @Test func everyFormOfRegistrationTakesAToken() async throws {
    let container = Container {
      Registration(ServiceKey<Probe>("a"), scope: .singleton) { _ in
        await Task.yield()
        return Probe("a")
      }
      Registration(ServiceKey<Probe>("b"), scope: .singleton) { @MainActor _ in Probe("b") }
      Registration(ServiceKey<Probe>("c")) { @MainActor _ in Probe("c") }
      Registration(ServiceKey<Unsendable>("d")) { _ in Unsendable() }
    }
    for name in ["a", "b", "c"] {
      #expect(try await container.resolve(Probe.self, key: name).name == name)
    }
    let first = try sync { try container.resolve(ServiceKey<Unsendable>("d")) }
    let second = try sync { try container.resolve(ServiceKey<Unsendable>("d")) }
    #expect(first !== second)
  }

  // A regression: a literal was compared byte by byte with a key that is written in another way.
  @Test func aTokenFindsAKeyThatIsCanonicallyEqual() async throws {
    let container = Container { Registration(Probe.self) { _ in Probe() }.key("\u{212A}") }
    _ = try await container.resolve(ServiceKey<Probe>("K"))
    _ = try await container.resolve(Probe.self, key: "K")
    #expect(container.contains(ServiceKey<Probe>("K")))
  }
}

private final class Unsendable {
  var count = 0
}
