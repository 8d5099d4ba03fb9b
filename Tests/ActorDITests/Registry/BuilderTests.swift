import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Words: Module {
  var registrations: Registrations {
    Registration(String.self) { _ in "module" }.key("module")
    Nested()
  }
}

private struct Nested: Module {
  var registrations: Registrations {
    Registration(String.self) { _ in "nested" }.key("nested")
  }
}

private enum Plan { case none, some, many(Int) }

private func keys(_ container: Container) -> [String] {
  container.registrations.map { $0.key.map { "\($0)" } ?? "none" }
}

private func word(_ key: String) -> Registration<String> {
  Registration(String.self) { _ in key }.key(key)
}

/// Hides from the compiler that the container's builder is deprecated, since it contains a statement.
private protocol ContainerFactory { func makeContainer(_ statement: () -> Void) -> Container }

private struct StatementInBuilder: ContainerFactory {
  @available(*, deprecated)
  func makeContainer(_ statement: () -> Void) -> Container {
    let registrations = Registrations {
      statement()
      word("after")
    }
    return Container { registrations }
  }
}

/// Hides from the compiler that the container's builder is deprecated, since it contains a type and a token.
private struct TypeAndTokenInBuilder: ContainerFactory {
  @available(*, deprecated)
  func makeContainer(_ statement: () -> Void) -> Container {
    let token = ServiceKey<Int>("token")
    return Container {
      Setting.self
      token
    }
  }
}

@Suite("The registration builder")
struct BuilderTests {
  @Test(arguments: [true, false])
  func aBuilderSupportsIfAndElse(flag: Bool) {
    let container = Container {
      if flag { word("if") } else { word("else") }
      if flag { word("only") }
      if flag, !flag { word("never") } else if flag { word("second") } else { word("third") }
    }
    #expect(keys(container) == (flag ? ["if", "only", "second"] : ["else", "third"]))
  }

  @Test func aBuilderSupportsOptionalBindingLoopsAndDeclarations() {
    let present: String? = "present"
    let absent: String? = nil
    let container = Container {
      if let present { word(present) }
      if let absent { word(absent) }
      for letter in ["a", "b"] {
        for number in 1...2 { word("\(letter)\(number)") }
      }
      let key = "local"
      word(key)
    }
    #expect(keys(container) == ["present", "a1", "a2", "b1", "b2", "local"])
  }

  @Test func aBuilderSupportsSwitch() {
    func container(_ plan: Plan) -> Container {
      Container {
        switch plan {
        case .none: Registrations()
        case .some: word("some")
        case .many(let count):
          for index in 0..<count { word("\(index)") }
        }
      }
    }
    #expect(keys(container(.none)) == [])
    #expect(keys(container(.some)) == ["some"])
    #expect(keys(container(.many(3))) == ["0", "1", "2"])
  }

  @Test func aBuilderSupportsAvailabilityConditions() {
    let container = Container {
      if #available(macOS 15, iOS 18, *) { word("new") }
      if #available(macOS 999, iOS 999, *) { word("future") } else { word("old") }
    }
    #if os(Linux) || os(Windows)
      #expect(keys(container) == ["new", "future"])
    #else
      #expect(keys(container) == ["new", "old"])
    #endif
  }

  @Test func collectionsModulesAndGroupsNest() {
    let collection = Registrations {
      word("collected")
      Registrations { word("deeper") }
    }
    #expect(collection.count == 2)
    let container = Container {
      collection
      Words()
      RegistrationGroup {
        word("grouped")
        RegistrationGroup { word("regrouped") }
      }
    }
    #expect(
      keys(container) == ["collected", "deeper", "module", "nested", "grouped", "regrouped"])
  }

  @Test func appendingCollectionsKeepsTheirOrder() {
    var growing = Registrations()
    #expect(growing.isEmpty)
    growing.append(Registrations { word("a") })
    growing.append(Registrations { word("b") })
    let collection = growing
    #expect(collection.isEmpty == false && collection.count == 2)
    #expect(keys(Container { collection }) == ["a", "b"])
    #expect(keys(Container { Registrations() }) == [])
    #expect(keys(Container {}) == [])
  }

  @Test func aBuilderTakesListsOfModules() {
    let modules: [any Module] = [Words(), Nested()]
    let equals = [Nested()]
    #expect(keys(Container { modules }) == ["module", "nested"])
    #expect(keys(Container { equals }) == ["nested"])
    #expect(keys(Container { [Words(), Nested()] }) == ["module", "nested"])
  }

  @Test func aBuilderTakesListsOfRegistrations() {
    let letters = ["a", "b"]
    #expect(keys(Container { letters.map { word($0) } }) == ["a", "b"])
    #expect(keys(Container { letters.map { letter in Registrations { word(letter) } } }) == ["a", "b"])
  }

  @Test func aBuilderTakesAnOptionalRegistration() {
    let present: Registration<String>? = word("present")
    let absent: Registration<String>? = nil
    let container = Container {
      present
      absent
    }
    #expect(keys(container) == ["present"])
  }

  @Test func aStatementRegistersNothing() {
    let runs = Counter()
    let factory: any ContainerFactory = StatementInBuilder()
    let container = factory.makeContainer { runs.increment() }
    #expect(keys(container) == ["after"])
    #expect(runs.count == 1)
  }

  @Test func aModuleMayBeAnOptional() {
    let (some, none): (Nested?, Nested?) = (Nested(), nil)
    #expect(
      keys(
        Container {
          some
          none
        }) == ["nested"])
    let modules: [(any Module)?] = [Words(), nil]
    #expect(
      keys(
        Container {
          modules[0]
          modules[1]
        }) == ["module", "nested"])
  }

  @Test func aTypeAndATokenAreServicesOfTheirOwn() throws {
    let factory: any ContainerFactory = TypeAndTokenInBuilder()
    let container = factory.makeContainer {}
    #expect(try container.resolve(Setting.Type.self) == Setting.self)
    #expect(container.contains(ServiceKey<Int>.self))
    #expect(container.registrationCount == 2)
  }

  @Test func eachResolveEvaluatesABareValue() throws {
    let builds = Counter()
    @Sendable func make() -> Setting { Setting(number: builds.increment()) }
    let container = Container {
      make()
      Probe("bare")
    }
    #expect(builds.count == 0)
    #expect(try container.resolve(Setting.self).number == 1)
    #expect(try container.resolve(Setting.self).number == 2)
    #expect(try container.resolve(Probe.self).name == "bare")
  }

  @Test func aBareValueGetsTheDefaultScope() throws {
    let container = Container(configuration: .init(defaultScope: .singleton)) {
      Probe("bare")
    }
    #expect(try container.resolve(Probe.self) === container.resolve(Probe.self))
  }

  @Test func aGroupsScopeAndKeyApplyToMembersWithoutTheirOwn() throws {
    let container = Container {
      RegistrationGroup(scope: .singleton) {
        Registration(Probe.self) { _ in Probe() }
        Registration(Leaf.self, scope: .transient) { _ in Leaf() }
        RegistrationGroup(scope: .graph) { Registration(Stem.self) { _ in Stem() } }
      }
      RegistrationGroup(key: "g") {
        Registration(Probe.self) { _ in Probe("g") }
        Registration(Probe.self) { _ in Probe("own") }.key("own")
      }
      RegistrationGroup(enabled: false) { Registration(Root.self) { _ in Root() } }
      RegistrationGroup(enabled: false, key: 1) { Words() }
    }
    let scopes = container.registrations.map(\.scope)
    #expect(scopes == [.singleton, .transient, .graph, .transient, .transient])
    #expect(keys(container) == ["none", "none", "none", "g", "own"])
    #expect(try container.resolve(Probe.self) === container.resolve(Probe.self))
    #expect(try container.resolve(Probe.self, key: "g").name == "g")
    #expect(container.contains(Root.self) == false)
  }
}
