import ActorDITestSupport
import Testing

@testable import ActorDI

/// A container's reports about its registrations.
@Suite("A container's list of registrations")
struct ContainsTests {
  @Test func containsDistinguishesTypesAndKeys() async throws {
    let container = Container {
      Registration(Setting.self) { _ in Setting() }
      Registration(Probe.self) { _ in Probe() }.key("k")
      Registration(Alpha.self) { (_, _: Int) in Alpha() }
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self, key: 1) { $0 }
    }
    #expect(container.contains(Setting.self) && !container.contains(Setting.self, key: "k"))
    #expect(container.contains(Probe.self, key: "k") && !container.contains(Probe.self))
    #expect(!container.contains(Probe.self, key: "K"))
    #expect(container.contains(Alpha.self), "Arguments do not matter")
    #expect(container.contains((any Greeter).self, key: 1))
    #expect(!container.contains((any Greeter).self))
    #expect(!container.contains(Beta.self))
  }

  @Test func containsIncludesTheParentsRegistrations() async throws {
    let root = Container { Registration(Alpha.self) { (_, _: Int) in Alpha() } }
    let middle = Container(parent: root) { Registration(Setting.self) { _ in Setting() }.key(1) }
    let leaf = Container(parent: middle)
    #expect(leaf.contains(Alpha.self) && leaf.contains(Setting.self, key: 1))
    #expect(!root.contains(Setting.self, key: 1))
    await middle.unregister(Setting.self, key: 1)
    #expect(!leaf.contains(Setting.self, key: 1))
  }

  @Test func theContainerHasNoKey() throws {
    let container = Container()
    #expect(container.contains(Container.self) && container.contains(Resolver.self))
    #expect(!container.contains(Container.self, key: "k") && !container.contains(Resolver.self, key: "k"))
    #expect(try resolutionError { try container.resolve(Container.self, key: "k") }.code == .notRegistered)
    #expect(container.resolveIfReady(Container.self, key: "k") == nil)
    #expect(try container.resolve(Container?.self, key: "k") == nil)
  }

  @Test func theServiceOfALazyOrProviderDecides() throws {
    let container = Container { Registration(Probe.self) { _ in Probe() }.key("k") }
    #expect(container.contains(Lazy<Probe>.self, key: "k") && container.contains(Provider<Probe>.self, key: "k"))
    #expect(!container.contains(Lazy<Probe>.self) && !container.contains(Provider<Probe>.self))
    let lazy = try container.resolve(Lazy<Probe>.self)
    #expect(try resolutionError { try lazy.synchronously() }.code == .notRegistered)
  }

  @Test func aRegisteredRelationshipTypeIsContained() throws {
    let container = Container {
      Registration([Alpha].self) { _ in [] }
      Registration(Lazy<Alpha>.self) { r in try Container { Alpha() }.resolve() }
      Registration(Container.self) { _ in Container(name: "keyed") }.key(1)
    }
    #expect(container.contains(Lazy<Alpha>.self) && container.contains(Owned<Lazy<Alpha>>.self))
    #expect(!container.contains(Provider<Alpha>.self))
    #expect(container.contains(Container.self, key: 1) && !container.contains(Container.self, key: 2))
    #expect(try container.resolve(Container.self, key: 1).name == "keyed")
  }

  @Test func argumentsDoNotMatterForRelationshipTypes() throws {
    let container = Container { Registration(Alpha.self) { (_, _: Int) in Alpha() } }
    #expect(container.contains(Lazy<Alpha>.self) && container.contains(Provider<Alpha>.self))
    #expect(container.contains(Owned<Alpha>.self))
    _ = try container.resolve(Owned<Alpha>.self, arguments: 1)
    _ = try container.resolve(Provider<Alpha>.self).synchronously(1)
    #expect(try resolutionError { try container.resolve(Container.self, arguments: 1) }.code == .notRegistered)
  }

  @Test func registrationsAreListedInOrderWithTheirProperties() async throws {
    let container = Container {
      Registration(Setting.self, scope: .singleton) { _ in Setting() }
      Registration(Probe.self) { (_, _: Int, _: String?) in Probe() }.key("k")
      Registration(Polite.self, scope: .shared) { _ in Polite() }
        .implements((any Greeter).self, key: 1) { $0 }
    }
    let line = #line
    try await container.register(Alpha.self) { _ in Alpha() }
    let list = container.registrations
    #expect(list.count == 5 && container.registrationCount == 5)
    #expect(
      list.map { ObjectIdentifier($0.service) } == [
        ObjectIdentifier(Setting.self), ObjectIdentifier(Probe.self),
        ObjectIdentifier(Polite.self), ObjectIdentifier((any Greeter).self),
        ObjectIdentifier(Alpha.self),
      ])
    #expect(list.map(\.scope) == [.singleton, .transient, .shared, .shared, .transient])
    #expect(list[1].key as? String == "k" && list[3].key as? Int == 1 && list[0].key == nil)
    #expect(list[1].arguments.map { "\($0)" } == ["Int", "Optional<String>"])
    #expect(list[0].arguments.isEmpty)
    #expect("\(list[4].source.fileID)" == "\(#fileID)")
    #expect(list[4].source.line == UInt32(line + 1))
    #expect(list[0].source.line == UInt32(line - 5))
    #expect(list[3].source.line == list[2].source.line)
    #expect(list[1].description.contains("Probe(Int, String?)[\"k\"], transient"))
    #expect(list[1].description.contains("ContainsTests.swift:"))
  }

  @Test func aContainerListsOnlyItsOwnRegistrations() {
    let parent = Container { Alpha() }
    let child = Container(parent: parent) { Setting() }
    #expect(parent.registrationCount == 1 && child.registrationCount == 1)
    #expect(child.registrations.map { "\($0.service)" } == ["Setting"])
    #expect(Container().registrations.isEmpty && Container().registrationCount == 0)
  }

  @Test func aContainerDescribesItselfByItsName() {
    #expect(Container().name == "unnamed")
    let container = Container(name: "app", parent: Container())
    #expect(container.name == "app" && container.parent?.name == "unnamed")
    #expect("\(container)" == "Container \"app\"")
  }
}
