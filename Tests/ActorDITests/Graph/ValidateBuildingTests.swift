import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Request: Sendable {}
private final class Handler: Sendable {
  init(request: Request) {}
}

@Suite("Validating by building", .timeLimit(.minutes(5)))
struct ValidateBuildingTests {
  private let builds = Counter()
  private let ends = Counter()

  @Test(arguments: [Scope.transient, .graph, .shared, .singleton, .scoped, .scoped("request"), .pooled(max: 1)])
  func validatingBuildsEverythingAndKeepsNothing(scope: Scope) async throws {
    let container = Container { [builds, ends] in
      Registration(Probe.self, scope: scope) { _ in
        builds.increment()
        return Probe()
      }.onDispose { _ in ends.increment() }
    }
    try await container.validate(building: true)
    #expect(builds.count == 1)
    // A weakly kept instance may be freed before validation ends.
    #expect(ends.count == 1 || scope == .shared)
    #expect(container.resolveIfReady(Probe.self) == nil)
    try await container.withScope("request") { scope in _ = try await scope.resolve(Probe.self) }
    #expect(builds.count == 2)
  }

  // A regression: an alias went on showing the disposed instance.
  @Test(arguments: [Scope.singleton, .managed(by: ManagedScope("period"))])
  func validatingKeepsNothingUnderAnAlias(scope: Scope) async throws {
    let container = Container { [ends] in
      Registration(Polite.self, scope: scope) { _ in Polite() }.implements((any Greeter).self) { $0 }
        .onDispose { _ in ends.increment() }
    }
    try await container.validate(building: true)
    #expect(container.resolveIfReady((any Greeter).self) == nil)
    let ended = ends.count
    _ = try await container.resolve((any Greeter).self)
    await container.reset()
    #expect(ends.count == ended + 1)
  }

  @Test func validatingNeitherUsesNorDisturbsExistingInstances() async throws {
    let container = Container { [builds, ends] in
      Registration(Probe.self, scope: .singleton) { _ in
        builds.increment()
        return Probe()
      }.onDispose { _ in ends.increment() }
    }
    let probe = try await container.resolve(Probe.self)
    try await container.validate(building: true)
    #expect(builds.count == 2 && ends.count == 1)
    #expect(try await container.resolve(Probe.self) === probe)
  }

  @Test func validatingAChildBuildsAParentsSingletonWithoutKeepingIt() async throws {
    let parent = Container { [builds] in
      Registration(Probe.self, scope: .singleton) { _ in
        builds.increment()
        return Probe()
      }
    }
    let child = parent.makeChild {
      Registration(autowired: Stem.self, scope: .singleton, initializer: Stem.init(probe:))
    }
    try await child.validate(building: true)
    #expect(builds.count == 1)
    #expect(parent.resolveIfReady(Probe.self) == nil && child.resolveIfReady(Stem.self) == nil)
  }

  private final class Stem: Sendable {
    init(probe: Probe) {}
  }

  @Test func validatingListsAllFailures() async throws {
    let container = Container(name: "app") { [builds] in
      Registration(Int.self, scope: .singleton) { _ in throw Refusal(1) }
      Registration(Probe.self, scope: .singleton) { _ in
        builds.increment()
        return Probe()
      }.onDispose { _ in throw Refusal(3) }
      Registration(String.self) { resolver in "\(try await resolver.resolve(Double.self))" }
      Registration(Double.self, scope: .scoped) { _ in throw Refusal(2) }
    }
    let error = await #expect(throws: ValidationError.self) { try await container.validate(building: true) }
    let problems = try #require(error).problems
    #expect(problems.allSatisfy { $0.kind == .buildFailed })
    #expect(problems.compactMap { ($0.underlying as? Refusal)?.number } == [1, 2, 2, 3])
    #expect(problems.map(\.path) == [["Int"], ["String"], ["Double"], ["Probe"]])
    #expect(builds.count == 1)
  }

  private struct Refusal: Error {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  // A regression: each service that had taken the instance was reported as not built.
  @Test func aFailedDisposalInScopesIsOneProblem() async throws {
    let container = Container {
      Registration(Probe.self, scope: .scoped) { _ in Probe() }.onDispose { _ in throw Refusal(1) }
      Registration(autowired: Stem.self, initializer: Stem.init(probe:))
      Registration(autowired: Leaf.self, scope: .scoped("request")) { (_: Probe) in Leaf() }
    }
    let error = await #expect(throws: ValidationError.self) { try await container.validate(building: true) }
    let problems = try #require(error).problems
    #expect(problems.map(\.path) == [["Probe"]])
    #expect((problems.first?.underlying as? Refusal)?.number == 1)
    #expect(problems.first?.description.contains("could not be disposed of") == true)
  }

  @Test func aFactoryThatThrowsAFailedDisposalIsNotBuilt() async throws {
    let other = Container {
      Registration(Probe.self, scope: .scoped) { _ in Probe() }.onDispose { _ in throw Refusal(1) }
    }
    let container = Container {
      Registration(Leaf.self) { _ in
        try await other.withScope { scope in _ = try await scope.resolve(Probe.self) }
        return Leaf()
      }
    }
    let error = await #expect(throws: ValidationError.self) { try await container.validate(building: true) }
    let problems = try #require(error).problems
    #expect(problems.map(\.path) == [["Leaf"]] && problems.first?.underlying is ShutdownError)
    #expect(problems.first?.description.contains("Leaf could not be built") == true)
  }

  // A regression: each service that was left was a problem.
  @Test func aCancelledCheckStopsAtTheFirstServiceThatSuspends() async throws {
    let container = Container {
      for key in 0..<3 {
        Registration(Probe.self, scope: .singleton) { _ in
          try await Gate().passed()
          return Probe()
        }.key(key)
      }
    }
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await Result { _ = try await container.validate(building: true) }
    }
    let error = try #require(await task.value.error as? ValidationError)
    #expect(error.problems.map(\.path) == [["Probe[Int(0)]"]] && error.problems[0].underlying is CancellationError)
    #expect(error.problems[0].description.contains("The check was cancelled before Probe[Int(0)] was built."))
  }

  @Test func validatingBuildsNothingAfterAStaticProblem() async throws {
    let container = Container { [builds] in
      Registration(Handler.self, scope: .singleton, dependsOnNothing: builds)
      Registration(autowired: Stem.self, initializer: Stem.init(probe:))
    }
    let error = await #expect(throws: ValidationError.self) { try await container.validate(building: true) }
    #expect(error?.problems.map(\.kind) == [.missingDependency])
    #expect(builds.count == 0)
  }

  @Test func validatingSkipsServicesExpectedFromScopes() async throws {
    let container = Container {
      Registration(autowired: Handler.self, scope: .scoped, initializer: Handler.init)
    }
    let report = try await container.validate(building: true)
    #expect(report.expectedFromScopes.count == 1)
  }

  // A regression: only the scope of the service itself was open.
  // A regression: the error of a service that is registered with arguments has another code.
  @Test func validatingSkipsServicesExpectedFromScopesThatAreRegisteredWithArguments() async throws {
    let container = Container {
      Registration(autowired: Handler.self, scope: .scoped("request"), initializer: Handler.init)
      Registration(Request.self) { (_: Resolver, _: Int) in Request() }.dependsOn()
    }
    let report = try await container.validate(building: true)
    #expect(report.expectedFromScopes.map(\.description) == ["Request"])
  }

  @Test func servicesAreBuiltInTheScopesThatTheirDependenciesName() async throws {
    let container = Container(name: "app") {
      Registration(autowired: Setting.self, scope: .scoped("app")) { Setting() }
      Registration(autowired: Alpha.self, scope: .scoped("request")) { (_: Setting) in Alpha() }
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(autowired: Gamma.self, scope: .scoped, initializer: Gamma.init)
      Registration(autowired: Stem.self, scope: .scoped("job")) { (_: Beta) in Stem(probe: Probe()) }
    }
    let linking = Container {
      Registration(Root.self) { r in Root(try await r.resolve(Gamma.self)) }
    }
    linking.link(container)
    try await container.validate(building: true)
    try await linking.validate(building: true)
    try await linking.withOverrides {
      Registration(autowired: Setting.self, scope: .scoped("test")) { Setting() }
    } operation: { () async throws in
      _ = try await linking.validate(building: true)
    }
  }

  @Test(arguments: ["abc", "acb", "bac", "bca", "cab", "cba"])
  func theScopesOfAProgramMayBeNestedInAnyOrder(names: String) async throws {
    let scopes = names.map { Scope.scoped(ScopeName("\($0)")) }
    let container = Container {
      Registration(autowired: Alpha.self, scope: scopes[0]) { Alpha() }
      Registration(autowired: Beta.self, scope: scopes[1], initializer: Beta.init)
      Registration(autowired: Gamma.self, scope: scopes[2], initializer: Gamma.init)
      Registration(autowired: Root.self) { (gamma: Gamma) in Root(gamma) }
    }
    try await container.validate(building: true)
  }

  @Test func validatingWithoutBuildingBuildsNothing() async throws {
    let container = Container { [builds] in
      Registration(Probe.self, scope: .singleton) { _ in
        builds.increment()
        return Probe()
      }
    }
    try await container.validate(building: false)
    #expect(builds.count == 0)
  }
}

extension Registration where Service == Handler {
  fileprivate init(_ service: Handler.Type, scope: Scope, dependsOnNothing builds: Counter) {
    self.init(Handler.self, scope: scope) { _ in
      builds.increment()
      return Handler(request: Request())
    }
  }
}
