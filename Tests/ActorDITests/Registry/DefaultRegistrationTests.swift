import ActorDITestSupport
import Testing

@testable import ActorDI

private protocol Mailer: AnyObject, Sendable { var host: String { get } }
private final class Mail: Mailer {
  let host: String
  init(host: String = "default") { self.host = host }
}
private final class Page: Sendable {
  let title: String
  init(title: String) { self.title = title }
}
private protocol Sender: Sendable {}
private struct Pigeon: Sender {}
private final class Post: Sender {
  let mailer: any Mailer
  init(_ mailer: any Mailer) { self.mailer = mailer }
}

extension ServiceKey where Service == String {
  fileprivate static var host: Self { Self("host") { Registration(instance: "default.host") } }
}

extension ServiceKey where Service == any Mailer {
  fileprivate static var mailer: Self {
    Self("mailer") { Registration(scope: .singleton) { r in Mail(host: try r.resolve(.host)) } }
  }
  fileprivate static var suspending: Self {
    Self("suspending") { Registration(scope: .singleton) { r async throws in Mail(host: try await r.resolve(.host)) } }
  }
  fileprivate static var decorated: Self {
    Self("decorated") {
      Registration(scope: .singleton) { r in Mail(host: try r.resolve(.host)) }
        .decorated { _, inner in Mail(host: inner.host) }
    }
  }
  fileprivate static var plain: Self { Self("mailer") }
  fileprivate static var incomplete: Self {
    Self("incomplete") {
      Registration(scope: .singleton) { r in Mail(host: try r.resolve(key: "nowhere")) }
        .dependsOn(String.self, key: "nowhere").dependsOn(.host)
    }
  }
  fileprivate static var faulty: Self { Self("faulty") { Registration { _ in Mail() }.perArguments().eager() } }
}

/// Tokens whose closures resolve tokens while they make the registrations.
private enum Endless {
  static let container = Container()
  static let errors = Journal<ResolutionError>()

  /// A page by the title of another one, if that can be resolved.
  static func page(from token: ServiceKey<Page>) -> Registration<Page> {
    do {
      return Registration(instance: Page(title: "from \(try container.resolve(token).title)"))
    } catch {
      if let error = error as? ResolutionError { errors.note(error) }
      return Registration(instance: Page(title: "last"))
    }
  }
}

extension ServiceKey where Service == Page {
  fileprivate static var itself: Self { Self("itself") { Endless.page(from: .itself) } }
  fileprivate static var ping: Self { Self("ping") { Endless.page(from: .pong) } }
  fileprivate static var pong: Self { Self("pong") { Endless.page(from: .ping) } }
  fileprivate static var page: Self { Self("page") { Registration { (_, title: String) in Page(title: title) } } }
}

/// An observer that lets another thread act after the first registration, while the resolve that has made it is in progress.
private struct FirstRegistration: ContainerObserver {
  let isMade = Gate()
  let mayContinue = Gate()
  private let registrations = Counter()

  func container(_ container: Container, didRegister registration: RegistrationInfo) {
    guard registrations.increment() == 1 else { return }
    isMade.open()
    mayContinue.block()
  }
}

/// Tokens that bring a registration along.
@Suite("Tokens with a default", .timeLimit(.minutes(5))) struct DefaultRegistrationTests {
  // MARK: Which registration

  @Test func aDefaultIsRegisteredOnceAtItsFirstResolve() async throws {
    let container = Container()
    #expect(container.registrationCount == 0)
    let mailer = try await container.resolve(.mailer)
    #expect(mailer.host == "default.host")
    #expect(try sync { try container.resolve(.mailer) } === mailer)
    #expect(container.registrations.map { $0.key as? String } == ["mailer", "host"])
    #expect(container.registrations.allSatisfy { "\($0.source)".contains("DefaultRegistrationTests.swift") })
  }

  @Test func aSynchronousCallRegistersItToo() throws {
    let container = Container()
    let mailer = try container.resolve(.mailer)
    #expect(mailer.host == "default.host")
    #expect(container.registrationCount == 2)
  }

  @Test func anAsynchronousDefaultIsBuilt() async throws {
    let container = Container()
    let error = #expect(throws: ResolutionError.self) { try sync { try container.resolve(.suspending) } }
    #expect(error?.code == .asyncRequired)
    #expect(try await container.resolve(.suspending).host == "default.host")
    #expect(try sync { try container.resolve(.suspending) }.host == "default.host")
  }

  @Test func theNameFindsItOnlyAfterwards() throws {
    let container = Container()
    #expect(throws: ResolutionError.self) { try container.resolve((any Mailer).self, key: "mailer") }
    #expect(throws: ResolutionError.self) { try container.resolve(.plain) }
    #expect(!container.contains(.plain))
    let mailer = try container.resolve(.mailer)
    #expect(try container.resolve((any Mailer).self, key: "mailer") === mailer)
    #expect(try container.resolve(.plain) === mailer)
    #expect(throws: ResolutionError.self) { try container.resolve((any Mailer).self) }
  }

  @Test func anyRegistrationOnTheSearchPathWins() async throws {
    let parent = Container {
      Registration((any Mailer).self, scope: .singleton) { _ in Mail(host: "parent") }.key(.mailer)
    }
    let child = parent.makeChild(name: "child")
    #expect(try await child.resolve(.mailer).host == "parent")
    let linking = Container()
    linking.link(parent)
    #expect(try await linking.resolve(.mailer).host == "parent")
    #expect(linking.registrationCount == 0 && parent.registrationCount == 1)
    try await child.register(Registration((any Mailer).self) { _ in Mail(host: "child") }.key("mailer"))
    #expect(try await child.resolve(.mailer).host == "child")
  }

  @Test(arguments: [false, true]) func aLaterRegistrationWins(isDecorated: Bool) async throws {
    let token: ServiceKey<any Mailer> = isDecorated ? .decorated : .mailer
    let container = Container()
    #expect(try await container.resolve(token).host == "default.host")
    try await container.register(Registration((any Mailer).self) { _ in Mail(host: "own") }.key(token))
    #expect(try await container.resolve(token).host == "own")
    #expect(container.registrationCount == 2)
  }

  @Test(arguments: [false, true]) func aRegistrationThatYieldsToOthersWins(isDecorated: Bool) async throws {
    let token: ServiceKey<any Mailer> = isDecorated ? .decorated : .mailer
    let container = Container()
    #expect(try await container.resolve(token).host == "default.host")
    let own = Registration((any Mailer).self) { _ in Mail(host: "own") }.key(token).ifNotRegistered()
    try await container.register(own)
    #expect(try await container.resolve(token).host == "own")
    try await container.register(
      Registration((any Mailer).self) { _ in Mail(host: "late") }.key(token).ifNotRegistered())
    #expect(try await container.resolve(token).host == "own")
  }

  @Test(arguments: [false, true]) func aDefaultIsNoDuplicateAndNoCandidate(isDecorated: Bool) async throws {
    let token: ServiceKey<any Mailer> = isDecorated ? .decorated : .mailer
    let container = Container(configuration: .init(duplicates: .error))
    #expect(try await container.resolve(token).host == "default.host")
    try await container.register(Registration((any Mailer).self) { _ in Mail(host: "own") }.key(token))
    #expect(try await container.resolve(token).host == "own")
    let error = try await asyncResolutionError {
      try await container.register(Registration((any Mailer).self) { _ in Mail(host: "twice") }.key(token))
    }
    #expect(error.code == .duplicate)
    let other = Container()
    _ = try await other.resolve(token)
    try await other.register(
      Registration((any Mailer).self) { r in Mail(host: try r.resolve(.host)) }.key(token).alternative())
    #expect(other.registrations.filter { $0.is((any Mailer).self) }.count == 1)
  }

  @Test(arguments: [false, true]) func aRebuildPutsRegistrationsOfTheBuilderBeforeTheDefault(isDecorated: Bool)
    async throws
  {
    let token: ServiceKey<any Mailer> = isDecorated ? .decorated : .mailer
    let isOn = Shelf(false)
    let container = Container {
      Registration((any Mailer).self) { _ in Mail(host: "built") }.key(token).when { isOn.value }
    }
    let mailer = try await container.resolve(token)
    try await container.rebuild()
    #expect(try await container.resolve(token) === mailer)
    isOn.value = true
    try await container.rebuild()
    #expect(try await container.resolve(token).host == "built")
    isOn.value = false
    try await container.rebuild()
    #expect(try await container.resolve(token).host == "default.host")
  }

  @Test func anOverrideWins() async throws {
    let container = Container()
    try await container.withOverrides {
      Registration((any Mailer).self, scope: .singleton) { _ in Mail(host: "override") }.key(.mailer)
    } operation: { () async throws in
      #expect(try await container.resolve(.mailer).host == "override")
      #expect(container.registrationCount == 0)
    }
    try await container.withOverrides {
      Registration(instance: "overridden.host").key(.host)
    } operation: { () async throws in
      #expect(try await container.resolve(.mailer).host == "overridden.host")
    }
    #expect(try await container.resolve(.mailer).host == "default.host")
  }

  @Test func aDefaultThatARegistrationHasOvertakenIsDropped() async throws {
    let token = ServiceKey<Post>("post") {
      Registration(scope: .singleton) { _ in Post(Mail()) }.implements((any Sender).self) { $0 }
    }
    let container = Container()
    // A resolve finds nothing and places the default. Another thread registers the service before the resolve lists it.
    let placed = try #require(try container.placeDefault(of: token.identity))
    #expect(placed.binding.aliases.count == 1)
    try await container.register(Registration(Post.self) { _ in Post(Mail(host: "own")) }.key(token))
    _ = try container.registerDefault(toFind: token.identity)
    #expect(container.registry.withLock { $0.defaults.isEmpty })
    #expect(placed.binding.aliases.isEmpty)
    #expect(container.registrationCount == 1)
    #expect(try await container.resolve(token).mailer.host == "own")
    #expect(await container.unregister(token))
    #expect(try await container.resolve(token).mailer.host == "default")
    #expect(container.contains((any Sender).self, key: "post"))
  }

  @Test(arguments: [DuplicatePolicy.replace, .error])
  func anAliasOfADefaultYieldsToAllRegistrations(policy: DuplicatePolicy) async throws {
    let token = ServiceKey<Post>("post") {
      Registration(scope: .singleton) { _ in Post(Mail()) }.implements((any Sender).self, key: "out") { $0 }
    }
    let container = Container(configuration: .init(duplicates: policy)) {
      Registration((any Sender).self) { _ in Pigeon() }.key("out")
    }
    let post = try await container.resolve(token)
    #expect(try await container.resolve((any Sender).self, key: "out") is Pigeon)
    #expect(try await container.resolve([any Sender].self).count == 1)
    #expect(try await container.resolve(token) === post)

    let other = Container(configuration: .init(duplicates: policy))
    let otherPost = try await other.resolve(token)
    #expect(try await other.resolve((any Sender).self, key: "out") as? Post === otherPost)
    try await other.register(Registration((any Sender).self) { _ in Pigeon() }.key("out").ifNotRegistered())
    #expect(try await other.resolve((any Sender).self, key: "out") is Pigeon)
    try await other.rebuild()
    #expect(try await other.resolve((any Sender).self, key: "out") is Pigeon)
    #expect(try await other.resolve(token) === otherPost)
  }

  @Test func aRebuildPutsAnAliasOfTheBuilderBeforeTheDefault() async throws {
    let isOn = Shelf(false)
    let container = Container {
      Registration(Mail.self) { _ in Mail(host: "built") }.implements((any Mailer).self, key: "mailer") { $0 }
        .when { isOn.value }
    }
    #expect(try await container.resolve(.mailer).host == "default.host")
    isOn.value = true
    try await container.rebuild()
    #expect(try await container.resolve(.mailer).host == "built")
    isOn.value = false
    try await container.rebuild()
    #expect(try await container.resolve(.mailer).host == "default.host")
  }

  // MARK: Where it is registered

  @Test func theOutermostParentGetsIt() async throws {
    let root = Container()
    let child = root.makeChild(name: "child")
    let mailer = try await child.withScope { scope in try await scope.resolve(.mailer) }
    #expect(root.registrationCount == 2 && child.registrationCount == 0)
    #expect(try await root.resolve(.mailer) === mailer)
    let other = root.makeChild(name: "other")
    #expect(try await other.resolve(.mailer) === mailer)
  }

  @Test func aFrozenContainerGetsIt() async throws {
    let container = Container()
    await container.freeze()
    #expect(try await container.resolve(.mailer).host == "default.host")
    #expect(container.registrationCount == 2)
    await #expect(throws: ResolutionError.self) { try await container.register(Int.self) { _ in 1 } }
  }

  @Test func aClosedContainerDoesNot() async throws {
    let root = Container(name: "root")
    let child = root.makeChild(name: "child")
    try await root.shutdown()
    for container in [root, child] {
      let error = #expect(throws: ResolutionError.self) { try sync { try container.resolve(.mailer) } }
      #expect(error?.code == .closed)
      #expect(!container.contains(.mailer))
    }
    #expect(root.registrationCount == 0)
  }

  @Test func aRemovedDefaultIsRegisteredAgain() async throws {
    let container = Container()
    let first = try await container.resolve(.mailer)
    #expect(await container.unregister(.mailer))
    let second = try await container.resolve(.mailer)
    #expect(first !== second)
    await container.clear()
    #expect(container.registrationCount == 0)
    #expect(try await container.resolve(.mailer) !== second)
  }

  @Test func aDefaultThatIsRemovedBeforeItIsFoundIsRegisteredAgain() async throws {
    let observer = FirstRegistration()
    let container = Container(configuration: .init(observer: observer))
    async let host = onThread { try container.resolve(.mailer).host }
    await observer.isMade.wait()
    #expect(await container.unregister(.mailer))
    observer.mayContinue.open()
    #expect(try await host == "default.host")
  }

  @Test func aClosureThatResolvesItsOwnTokenGetsAnError() throws {
    #expect(try Endless.container.resolve(.itself).title == "last")
    #expect(try Endless.container.resolve(.ping).title == "from last")
    let errors = Endless.errors.entries
    #expect(errors.map(\.code) == [.cycle, .cycle])
    #expect(
      errors.map(\.path) == [
        ["Page[\"itself\"]", "Page[\"itself\"]"], ["Page[\"ping\"]", "Page[\"pong\"]", "Page[\"ping\"]"],
      ])
    // Each of the two closures has registered a default.
    #expect(try Endless.container.resolve(.pong).title == "last")
  }

  @Test func aClosureThatValidatesItsContainerFindsNoProblem() throws {
    let found = Shelf<[String]?>(nil)
    let container = Shelf(Container())
    let token = ServiceKey<String>("validating") {
      found.value = findings(container.value)
      return Registration(instance: "text")
    }
    container.value = Container { Registration(Probe.self) { r in Probe(try r.resolve(token)) }.dependsOn(token) }
    #expect(try container.value.resolve(Probe.self).name == "text")
    #expect(found.value == [])
  }

  @Test func theContainerDisposesOfIt() async throws {
    let disposed = Counter()
    let token = ServiceKey<any Mailer>("disposable") {
      Registration(scope: .singleton) { _ in Mail() }.onDispose { _ in disposed.increment() }
    }
    let container = Container()
    _ = try await container.resolve(token)
    #expect(disposed.count == 0)
    try await container.shutdown()
    #expect(disposed.count == 1)
  }

  // MARK: By whom it is asked

  @Test func everyFormOfRequestFindsIt() async throws {
    #expect(try Container().withResolved(.mailer) { $0.host } == "default.host")
    let container = Container()
    #expect(container.resolveIfReady(.mailer) == nil)
    let provider = container.provider(for: .mailer)
    #expect(try provider.synchronously().host == "default.host")
    #expect(container.resolveIfReady(.mailer)?.host == "default.host")
    #expect(try await Container().provider(for: .suspending)().host == "default.host")
  }

  @Test func relationshipsFindIt() throws {
    func request<Service>(_ type: Service.Type, _ token: ServiceKey<any Mailer>) throws -> Service {
      try Resolver(container: Container()).resolve(type, erasedKey: token.key)
    }
    #expect(try request((any Mailer)?.self, .mailer)?.host == "default.host")
    #expect(try request(Provider<any Mailer>.self, .mailer)().host == "default.host")
    #expect(try request(Lazy<any Mailer>.self, .mailer)().host == "default.host")
    #expect(try request((any Mailer)?.self, .plain) == nil)
    // Only what is registered is an element.
    #expect(try request([any Mailer].self, .mailer).isEmpty)
  }

  @Test func injectedPropertiesFindIt() throws {
    final class Screen {
      @Injected(.mailer) var mailer: any Mailer
      @Injected(.mailer) var mailerIfAny: (any Mailer)?
    }
    let container = Container()
    try container.withCurrent { () throws in
      let screen = Screen()
      #expect(screen.mailer === screen.mailerIfAny)
      #expect(try container.resolve(.mailer) === screen.mailer)
    }
  }

  @Test func injectedPropertiesOfServicesFindIt() throws {
    final class Screen: @unchecked Sendable { var mailer: (any Mailer)? }
    let container = Container {
      Registration(Screen.self) { _ in Screen() }.inject(\.mailer, .mailer)
    }
    #expect(try container.resolve(Screen.self).mailer?.host == "default.host")
    try container.validate()
  }

  @Test func anAliasAndADecoratorApply() async throws {
    let token = ServiceKey<Post>("post") {
      Registration(scope: .singleton) { r in Post(try await r.resolve(.mailer)) }.implements((any Sender).self) { $0 }
    }
    let container = Container()
    try await container.decorate(.mailer) { _, inner in Mail(host: "decorated \(inner.host)") }
    #expect(throws: ResolutionError.self) { try sync { try container.resolve((any Sender).self, key: "post") } }
    let post = try await container.resolve(token)
    #expect(post.mailer.host == "decorated default.host")
    #expect(try await container.resolve((any Sender).self, key: "post") as? Post === post)
  }

  @Test func aTokenOfAnotherTypeHasNoDefault() throws {
    let container = Container {
      Registration(Post.self) { r in Post(try r.resolve(.mailer)) }.key("post")
    }
    let key = ServiceKey<any Mailer>.mailer.key
    #expect(throws: ResolutionError.self) { try Resolver(container: container).resolve(Post.self, erasedKey: key) }
    #expect(container.registrationCount == 1)
  }

  // MARK: Arguments and faults

  @Test func aDefaultTakesRunTimeArguments() async throws {
    let container = Container()
    #expect(try await container.resolve(.page, arguments: "a").title == "a")
    #expect(try await container.resolve(.page, arguments: "b").title == "b")
    #expect(container.registrationCount == 1)
    let error = #expect(throws: ResolutionError.self) { try sync { try Container().resolve(.page, arguments: 1) } }
    #expect(error?.code == .argumentMismatch)
    let missing = #expect(throws: ResolutionError.self) { try sync { try Container().resolve(.page) } }
    #expect(missing?.code == .argumentMismatch)
  }

  @Test func validationKnowsTheArgumentsOfADefault() {
    final class Screen: @unchecked Sendable { var page = Page(title: "none") }
    #expect(findings(Container { Registration(Probe.self) { _ in Probe() }.dependsOn(.page) }) == [])
    let injecting = Container { Registration(Screen.self) { _ in Screen() }.inject(\.page, .page) }
    #expect(findings(injecting) == ["missingDependency: Screen -> Page[\"page\"]"])
  }

  @Test func aFaultyDefaultThrowsItsError() async throws {
    let container = Container()
    let error = #expect(throws: ResolutionError.self) { try sync { try container.resolve(.faulty) } }
    #expect(error?.code == .invalidRegistration)
    await #expect(throws: ResolutionError.self) { try await container.resolve(.faulty) }
    #expect(container.registrationCount == 1)
  }

  @Test func aDefaultWithAConditionIsFaulty() throws {
    let token = ServiceKey<any Mailer>("conditional") { Registration { _ in Mail() }.when { true } }
    let error = #expect(throws: ResolutionError.self) { try sync { try Container().resolve(token) } }
    #expect(error?.code == .invalidRegistration)
    #expect(error.map { "\($0)".contains("remove when(_:)") } == true)
  }

  @Test func aHitDoesNotMakeTheDefault() async throws {
    let made = Counter()
    let token = ServiceKey<any Mailer>("counted") {
      made.increment()
      return Registration(scope: .singleton) { _ in Mail() }
    }
    let container = Container()
    for _ in 0..<3 { _ = try await container.resolve(token) }
    _ = try await container.resolve(token)
    _ = container.resolveIfReady(token)
    #expect(made.count == 1)
    let other = Container { Registration((any Mailer).self) { _ in Mail() }.key(token) }
    _ = try await other.resolve(token)
    #expect(made.count == 1)
  }

  // MARK: Analysis

  @Test func askingDoesNotRegister() throws {
    let container = Container()
    #expect(container.contains(.mailer))
    #expect(!container.contains((any Mailer).self, key: "mailer"))
    #expect(!container.contains(.plain))
    #expect(container.registrationCount == 0)
  }

  @Test func validationFollowsDefaults() throws {
    let container = Container {
      Registration(Int.self) { r in try r.resolve(.mailer).host.count }.dependsOn(.mailer)
      Registration(Double.self) { r in Double(try r.resolve(.mailer).host.count) }.dependsOn(.mailer)
    }
    try container.validate()
    let graph = container.dependencyGraph()
    #expect(graph.nodes.count { $0.service == (any Mailer).self } == 1)
    #expect(container.registrationCount == 2)
    let incomplete = Container {
      Registration(Int.self) { r in try r.resolve(.incomplete).host.count }.dependsOn(.incomplete)
    }
    let error = #expect(throws: ValidationError.self) { try incomplete.validate() }
    let problems = error?.problems ?? []
    #expect(problems.count == 1 && "\(problems[0])".contains("nowhere"))
  }
}
