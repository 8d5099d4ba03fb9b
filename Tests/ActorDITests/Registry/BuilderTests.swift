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

@Suite("The registration builder")
struct BuilderTests {
  @Test(arguments: [true, false])
  func ifAndElse(flag: Bool) {
    let container = Container {
      if flag { word("if") } else { word("else") }
      if flag { word("only") }
      if flag, !flag { word("never") } else if flag { word("second") } else { word("third") }
    }
    #expect(keys(container) == (flag ? ["if", "only", "second"] : ["else", "third"]))
  }

  @Test func optionalBinding() {
    let present: String? = "present"
    let absent: String? = nil
    let container = Container {
      if let present { word(present) }
      if let absent { word(absent) }
    }
    #expect(keys(container) == ["present"])
  }

  @Test func switches() {
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

  @Test func loopsInOrder() {
    let container = Container {
      for letter in ["a", "b"] {
        for number in 1...2 { word("\(letter)\(number)") }
      }
    }
    #expect(keys(container) == ["a1", "a2", "b1", "b2"])
  }

  @Test func availability() {
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

  @Test func declarationsAmongRegistrations() {
    let container = Container {
      let key = "local"
      word(key)
    }
    #expect(keys(container) == ["local"])
  }

  @Test func nestedRegistrationsModulesAndGroups() {
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

  @Test func collectionsCanBeAppended() {
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

  @Test func aBareValueIsEvaluatedWhenItIsResolved() throws {
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

  @Test func aBareValueHasTheDefaultScope() throws {
    let container = Container(configuration: .init(defaultScope: .singleton)) {
      Probe("bare")
    }
    #expect(try container.resolve(Probe.self) === container.resolve(Probe.self))
  }

  @Test func groupsGiveTheirMembersWhatTheyLack() throws {
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

  @Test func modifiersReturnChangedCopies() throws {
    let plain = Registration(Probe.self) { _ in Probe() }
    let kept = plain.scope(.singleton)
    let keyed = kept.key("k")
    let container = Container {
      plain
      keyed
    }
    #expect(container.registrations.map(\.scope) == [.transient, .singleton])
    #expect(keys(container) == ["none", "k"])
    #expect(try container.resolve(Probe.self) !== container.resolve(Probe.self))
  }

  @Test func oneRegistrationServesManyContainers() throws {
    let registration = Registration(Probe.self, scope: .singleton) { _ in Probe() }
    let one = Container { registration }
    let other = Container { registration }
    #expect(try one.resolve(Probe.self) === one.resolve(Probe.self))
    #expect(try one.resolve(Probe.self) !== other.resolve(Probe.self))
  }
}
