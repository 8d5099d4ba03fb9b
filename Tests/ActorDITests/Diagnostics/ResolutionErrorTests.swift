import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Greeting: Sendable {}

/// The code, path and description of each error.
@Suite("Resolution errors", .timeLimit(.minutes(5)))
struct ResolutionErrorTests {
  @Test func notRegisteredNamesServicePathAndContainer() async throws {
    let container = Container(name: "app") {
      Registration(initializer: Beta.init)
      Registration(initializer: Gamma.init)
    }
    for error in [
      try resolutionError { try container.resolve(Gamma.self) },
      try await asyncResolutionError { try await container.resolve(Gamma.self) },
    ] {
      #expect((error.code, error.path, error.container) == (.notRegistered, ["Gamma", "Beta", "Alpha"], "app"))
      #expect(error.service == Alpha.self && error.key == nil && error.suggestions.isEmpty)
      #expect(error.description.contains("Alpha is not registered in container \"app\""))
      #expect(error.description.contains("Gamma -> Beta -> Alpha"))
      #expect(
        error.description.hasSuffix(
          """

          Register it, or resolve it from the container that has it.
          If the parameter has a default value: autowiring ignores it. Register Beta with a factory closure.
          """))
    }
    try await container.register(Beta.self) { r in Beta(alpha: try r.resolve()) }
    #expect(try !resolutionError { try container.resolve(Gamma.self) }.description.contains("default value"))
  }

  @Test func notRegisteredNamesTheKey() throws {
    let error = try resolutionError {
      try Container(name: "app").resolve((any Greeter).self, key: "formal")
    }
    #expect(error.service == (any Greeter).self)
    #expect(error.key as? String == "formal")
    #expect(error.path == ["any Greeter[\"formal\"]"])
    #expect(error.description.contains("any Greeter[\"formal\"] is not registered"))
    let number = try resolutionError { try Container().resolve(Setting.self, key: 5) }
    #expect(number.key as? Int == 5)
    #expect(number.description.contains("Setting[Int(5)]"))
  }

  @Test func cycleHasAClosedPath() async throws {
    let container = Container {
      Registration(Root.self) { r in Root(try r.resolve(Leaf.self)) }
      Registration(Leaf.self) { r in Leaf(try r.resolve(Root.self)) }
    }
    let error = try resolutionError { try container.resolve(Root.self) }
    #expect((error.code, error.path) == (.cycle, ["Root", "Leaf", "Root"]))
    #expect(error.service == Root.self)
    #expect(error.description.hasPrefix("Dependency cycle detected: Root -> Leaf -> Root"))
    #expect(error.description.contains("Lazy"))
  }

  @Test func aCycleIsFoundByTypesRatherThanTheirNames() throws {
    enum Outer { struct Root: Sendable {} }
    let container = Container {
      Registration(Outer.Root.self) { r in
        _ = try r.resolve(Stem.self)
        return Outer.Root()
      }
      Registration(Stem.self) { r in Stem(try r.resolve(Root.self)) }
      Registration(Root.self) { r in Root(try r.resolve(Leaf.self)) }
      Registration(Leaf.self) { r in Leaf(try r.resolve(Root.self)) }
    }
    let error = try resolutionError { try container.resolve(Outer.Root.self) }
    #expect(error.path == ["Root", "Stem", "Root", "Leaf", "Root"])
    #expect(error.description.hasPrefix("Dependency cycle detected: Root -> Leaf -> Root\n"))
  }

  @Test func errorsShowTheTypesOfKeys() throws {
    let container = Container(name: "app") {
      Registration(Setting.self) { _ in Setting() }.key(1)
      Registration(Setting.self) { _ in Setting() }.key("1")
      Registration(Setting.self) { _ in Setting() }.key(Side.left)
      Registration(Setting.self) { _ in Setting() }.key(Side.at(3))
      Registration(Setting.self) { _ in Setting() }.key(Named.north)
      Registration(Setting.self) { _ in Setting() }.key(Tenant(number: 4))
    }
    let error = try resolutionError { try container.resolve(Setting.self, key: UInt(1)) }
    #expect(error.key as? UInt == 1)
    #expect(error.path == ["Setting[UInt(1)]"])
    #expect(
      Set(error.suggestions) == [
        "Setting[Int(1)]", #"Setting["1"]"#, "Setting[Side.left]", "Setting[Side.at(3)]", "Setting[Named(N)]",
        "Setting[Tenant(number: 4)]",
      ])
    #expect(error.description.hasPrefix("Setting[UInt(1)] is not registered in container \"app\"."))
  }

  private enum Side: Hashable { case left, at(Int) }
  private enum Named: Hashable, CustomStringConvertible {
    case north
    var description: String { "N" }
  }
  private struct Tenant: Hashable { let number: Int }

  @Test func aPathShowsTheTypesOfKeys() throws {
    let container = Container {
      Registration(Root.self) { r in Root(try r.resolve(Root.self, key: UInt(1))) }.key(1)
      Registration(Root.self) { r in Root(try r.resolve(Root.self, key: 1)) }.key(UInt(1))
    }
    let error = try resolutionError { try container.resolve(Root.self, key: 1) }
    #expect(error.path == ["Root[Int(1)]", "Root[UInt(1)]", "Root[Int(1)]"])
  }

  @Test func typesAreNamedAsTheyAreWritten() throws {
    let container = Container()
    func path<Service>(_ service: Service.Type) throws -> [String] {
      try sync { try resolutionError { try container.resolveAny(service) } }.path
    }
    #expect(try path((any Greeter).self) == ["any Greeter"])
    #expect(try path((any Greeter & AnyObject).self) == ["any Greeter & AnyObject"])
    #expect(try path(Any.self) == ["Any"])
    #expect(try path(AnyObject.self) == ["AnyObject"])
    #expect(try path(Polite.self) == ["Polite"])
    #expect(TypeName.short((any Greeter)?.self) == "(any Greeter)?")
    #expect(TypeName.short([String: [any Greeter]?].self) == "[String: [any Greeter]?]")
    #expect(TypeName.full([any Error].self) == "[any Swift.Error]")
  }

  @Test func anUnnamedContainerIsNotTakenForTheRootContainer() throws {
    let error = try resolutionError { try Container().resolve(Setting.self) }
    #expect(error.container == "unnamed")
    #expect(error.description.hasSuffix("Register it, or resolve it from the container that has it."))
    let ofRoot = try resolutionError { try Container.root.resolve(Setting.self) }
    #expect(ofRoot.container == "root")
    #expect(ofRoot.description.contains("Keep the result of activate() as long as the program runs"))
    #expect(!ofRoot.description.contains("Register it"))
    let named = try resolutionError { try Container(name: "root").resolve(Setting.self) }
    #expect(named.description.hasSuffix("Register it, or resolve it from the container that has it."))
  }

  // MARK: Services of scopes

  /// Resolved in a request, the kept service is built outside of it.
  @Test(arguments: [Scope.singleton, .shared], [Scope.scoped("request"), .scoped, .transient])
  func theErrorOfACaptiveServiceNamesTheKeptServiceThatTakesIt(kept: Scope, taken: Scope) async throws {
    let app = Container(name: "app") {
      Registration(Alpha.self, scope: taken) { r in
        _ = try r.resolve(Setting.self)
        return Alpha()
      }
      Registration(Beta.self, scope: kept) { r in Beta(alpha: try r.resolve()) }
      Registration(Root.self) { r in Root(try r.resolve(Beta.self)) }
      Registration(Leaf.self, scope: kept) { r async throws in Leaf(try await r.resolve(Beta.self)) }
    }
    try await app.withScope("request") {
      Setting(number: 1)
    } operation: { request in
      for error in [
        try resolutionError { try sync { try request.resolve(Root.self) } },
        try await asyncResolutionError { try await request.resolve(Leaf.self) },
      ] {
        #expect(error.code == (taken == .scoped("request") ? .scopeNotFound : .notRegistered))
        #expect(
          error.description.contains(
            "Beta, \(kept), takes it, and is built with the registrations of container \"app\", outside of scopes."))
        #expect(error.description.contains("Give Beta a scope that ends no later"))
      }
    }
    // Without a scope there is no hint at one, unless the service has a scope of its own.
    let error = try resolutionError { try sync { try app.resolve(Root.self) } }
    #expect(error.description.contains("takes it") == (taken != .transient))
  }

  // MARK: Synchronous code

  @Test(arguments: [Scope.transient, .graph, .singleton], [true, false])
  func asyncRequiredNamesTheSynchronousClosure(scope: Scope, isObserved: Bool) async throws {
    struct Silent: ContainerObserver {}
    // An observed container makes its transients on the slow path.
    let container = Container(configuration: isObserved ? .init(observer: Silent()) : .init()) {
      Registration(Alpha.self, scope: .singleton) { _ async in Alpha() }
      Registration(Beta.self, scope: scope) { r in Beta(alpha: try r.resolve()) }
    }
    for error in [
      try await asyncResolutionError { try await container.resolve(Beta.self) },
      try resolutionError { try container.resolve(Beta.self) },
    ] {
      #expect(error.code == .asyncRequired && error.service == Alpha.self)
      #expect(error.description.contains("A synchronous closure of Beta has resolved it."))
      #expect(!error.description.contains("main.swift"))
    }
    // An autowired initialiser waits if its caller does.
    try await container.autoregister(Beta.self, scope: scope, initializer: Beta.init)
    let error = try resolutionError { try container.resolve(Beta.self) }
    #expect(error.path == ["Beta", "Alpha"] && !error.description.contains("closure"))
    #expect(error.description.contains("Resolve it with 'try await' first"))
  }

  @Test func asyncRequiredExplainsTopLevelCode() throws {
    let container = Container {
      Registration(Alpha.self) { _ in
        await Task.yield()
        return Alpha()
      }
      Registration(initializer: Beta.init)
    }
    let direct = try resolutionError { try container.resolve(Alpha.self) }.description
    #expect(direct.contains("In the top-level code of main.swift, the compiler chooses the synchronous form"))
    #expect(direct.contains("move the code into an asynchronous function"))
  }

  @Test func cycleHasTheWholePathFromTheFirstService() async throws {
    let container = Container {
      Registration(Gamma.self) { r in
        _ = try r.resolve(Root.self)
        return Gamma(beta: Beta(alpha: Alpha()), alpha: Alpha())
      }
      Registration(Root.self) { r in Root(try r.resolve(Leaf.self)) }
      Registration(Leaf.self) { r in Leaf(try r.resolve(Root.self)) }
    }
    for error in [
      try resolutionError { try container.resolve(Gamma.self) },
      try await asyncResolutionError { try await container.resolve(Gamma.self) },
    ] {
      #expect(error.code == .cycle && error.service == Root.self)
      #expect(error.path == ["Gamma", "Root", "Leaf", "Root"])
      let lines = error.description.split(separator: "\n")
      #expect(lines.first == "Dependency cycle detected: Root -> Leaf -> Root")
      #expect(lines.dropFirst().first == "Resolution path: Gamma -> Root -> Leaf -> Root")
    }
  }

  /// Task 1 builds `Root`, which needs `Leaf`. Task 2 builds `Gamma`, which needs `Leaf`, which needs `Root`.
  @Test func cycleAcrossTasksHasTheWholePathFromTheFirstService() async throws {
    let (rootBegan, leafBegan) = (Gate(), Gate())
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        rootBegan.open()
        await leafBegan.wait()
        return Root(try await r.resolve(Leaf.self))
      }
      Registration(Gamma.self, scope: .singleton) { r in
        _ = try await r.resolve(Leaf.self)
        return Gamma(beta: Beta(alpha: Alpha()), alpha: Alpha())
      }
      Registration(Leaf.self, scope: .singleton) { r in
        leafBegan.open()
        await rootBegan.wait()
        return Leaf(try await r.resolve(Root.self))
      }
    }
    async let first = asyncResolutionError { try await container.resolve(Root.self) }
    async let second = asyncResolutionError { try await container.resolve(Gamma.self) }
    let ways = [
      // Either of the two may close the cycle.
      ["Root", "Leaf", "Root"], ["Gamma", "Leaf", "Root", "Leaf"],
    ]
    for error in try await [first, second] {
      #expect(error.code == .cycle && ways.contains(error.path), "\(error.path)")
      #expect(error.path.dropLast().contains { $0 == error.path.last })
    }
  }

  @Test func cycleNamesTheKeys() async throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        Root(try await r.resolve(Root.self, key: 1))
      }
      Registration(Root.self, scope: .singleton) { r in Root(try await r.resolve(Root.self)) }
        .key(1)
    }
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect(error.code == .cycle)
    #expect(error.path == ["Root", "Root[Int(1)]", "Root"])
  }

  @Test func asyncRequiredNamesTheAsynchronousService() throws {
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ in
        await Task.yield()
        return Alpha()
      }
      Registration(initializer: Beta.init)
    }
    let error = try resolutionError { try container.resolve(Beta.self) }
    #expect((error.code, error.path) == (.asyncRequired, ["Beta", "Alpha"]))
    #expect(error.service == Alpha.self)
    #expect(error.description.contains("Alpha is built asynchronously"))
    #expect(error.description.contains("try await"))
  }

  @Test func argumentMismatchSuggestsTheRegisteredArguments() async throws {
    let container = Container(name: "app") {
      Registration(Greeting.self) { (_, _: String) in Greeting() }
      Registration(Greeting.self) { (_, _: String, _: Int) in Greeting() }.key("k")
    }
    for error in [
      try resolutionError { try container.resolve(Greeting.self) },
      try resolutionError { try container.resolve(Greeting.self, arguments: 1) },
      try await asyncResolutionError {
        try await container.resolve(Greeting.self, key: "k", arguments: "a")
      },
    ] {
      #expect(error.code == .argumentMismatch)
      #expect(error.service == Greeting.self)
      #expect(error.container == "app")
      #expect(error.suggestions.contains("Greeting(String)"))
      #expect(error.suggestions.contains("Greeting(String, Int)[\"k\"]"))
      #expect(error.description.contains("other arguments"))
    }
    let error = try resolutionError { try container.resolve(Greeting.self, arguments: 1, true) }
    #expect(error.path == ["Greeting(Int, Bool)"])
  }

  @Test func argumentMismatchSuggestsAServiceWithoutArguments() throws {
    let container = Container { Registration(Greeting.self) { _ in Greeting() } }
    let error = try resolutionError { try container.resolve(Greeting.self, arguments: "a") }
    #expect(error.code == .argumentMismatch)
    #expect(error.suggestions == ["Greeting"])
    #expect(error.description.hasSuffix("\nGreeting takes no run-time arguments."))
    let child = container.makeChild { Registration(Greeting.self) { (_, _: Int) in Greeting() } }
    let other = try resolutionError { try child.resolve(Greeting.self, arguments: "a") }
    #expect(other.description.hasSuffix("\nPass arguments of exactly the registered types, in the same order."))
  }

  @Test func duplicateNamesTheFirstRegistration() async throws {
    let container = Container(name: "app", configuration: .init(duplicates: .error)) { Alpha() }
    let error = try await asyncResolutionError {
      try await container.register(Alpha.self) { _ in Alpha() }
    }
    #expect((error.code, error.path, error.container) == (.duplicate, ["Alpha"], "app"))
    #expect(error.service == Alpha.self)
    #expect(error.description.contains("Alpha is registered already in container \"app\""))
    #expect(error.description.contains("It was registered first at "))
  }

  @Test func anEndlessRecursionNamesTheService() async throws {
    let container = Container {
      Registration(Int.self) { (r, depth: Int) in
        try r.resolve(Int.self, arguments: depth + 1)
      }
    }
    let error = try resolutionError { try container.resolve(Int.self, arguments: 0) }
    #expect(error.code == .cycle)
    #expect(error.service == Int.self)
    #expect(error.description.contains("Int"))
  }

  @Test func errorsNameTheContainerAsked() throws {
    let parent = Container(name: "parent")
    let child = Container(name: "child", parent: parent)
    let error = try resolutionError { try child.resolve(Alpha.self) }
    #expect(error.container == "child")
  }

  @Test func aFactorysErrorReachesTheCallerUnchanged() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ -> Alpha in throw Boom(number: 1) }
      Registration(initializer: Beta.init)
      Registration(initializer: Gamma.init)
      Registration(Setting.self, scope: .singleton) { _ async throws -> Setting in
        throw Boom(number: 2)
      }
      Registration(Probe.self) { @MainActor _ -> Probe in throw Boom(number: 3) }
    }
    #expect(throws: Boom(number: 1)) { try sync { try container.resolve(Gamma.self) } }
    await #expect(throws: Boom(number: 1)) { try await container.resolve(Gamma.self) }
    await #expect(throws: Boom(number: 2)) { try await container.resolve(Setting.self) }
    await #expect(throws: Boom(number: 3)) { try await container.resolve(Probe.self) }
  }

  @Test func aFactorysResolutionErrorReachesTheCallerUnchanged() async throws {
    let other = Container(name: "other")
    let container = Container(name: "app") {
      Registration(Alpha.self) { _ in
        _ = try other.resolve(Setting.self)
        return Alpha()
      }
    }
    let error = try resolutionError { try container.resolve(Alpha.self) }
    #expect((error.code, error.container) == (.notRegistered, "other"))
    #expect(error.service == Setting.self)
  }

  @Test func codesAreDistinctAndDescribeTheService() {
    let codes: [ResolutionError.Code] = [
      .notRegistered, .cycle, .asyncRequired, .argumentMismatch, .ambiguousArguments, .ambiguous,
      .duplicate, .typeMismatch, .scopeNotFound, .tooDeep, .frozen, .closed,
    ]
    #expect(Set(codes).count == 12)
    #expect(codes.map { "\($0)" }.first == "notRegistered")
    for code in codes {
      let error = ResolutionError(code, for: ServiceIdentity(Setting.self), container: "app")
      #expect(error.code == code)
      #expect(code == .cycle || error.description.contains("Setting"))
    }
  }
}
