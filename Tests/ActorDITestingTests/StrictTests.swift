import Synchronization
import Testing

@testable import ActorDI
@testable import ActorDITesting

private final class Network: Sendable {
  let name: String
  init(_ name: String = "real") { self.name = name }
}
private final class Shop: Sendable {
  let network: Network
  init(network: Network) { self.network = network }
}

private enum Program {
  static let container = Container(name: "program") {
    Registration(autowired: Network.self, scope: .singleton) { Network() }.external()
    Registration(autowired: Shop.self, scope: .singleton, initializer: Shop.init)
    Registration([Shop].self, scope: .singleton) { r async throws in
      await Task.yield()
      return [try await r.resolve(Shop.self)]
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

/// Strict tests: `.container(strict: true)`.
struct StrictTests {
  /// Runs a test under a trait, and expects its issues.
  private func issues(
    of trait: ContainerTrait, _ body: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws -> [ResolutionError] {
    let issues = Mutex<[ResolutionError]>([])
    let test = try #require(Test.current)
    try await withKnownIssue(isIntermittent: true) {
      try await trait.provideScope(for: test, testCase: nil, performing: body)
    } matching: { issue in
      guard let error = issue.error as? ResolutionError, error.code == .external else { return false }
      issues.withLock { $0.append(error) }
      return true
    }
    return issues.withLock { $0 }
  }

  @Suite(.container(overriding: Program.container, strict: true))
  struct ASuite {
    @Test(.container(overriding: Program.container) { Registration(autowired: Network.self) { Network("fake") } })
    func anOverrideOfTheTestReplacesAnExternalService() async throws {
      #expect(try await Program.container.resolve(Shop.self).network.name == "fake")
    }

    @Test func itsOtherTestsAreStrict() throws {
      let layer = try #require(OverrideLayer.active)
      #expect(layer.strictness != nil)
    }
  }

  @Test func resolvingAnExternalServiceFailsTheTestWithThePath() async throws {
    let issues = try await self.issues(of: .container(overriding: Program.container, strict: true)) {
      await #expect(throws: ResolutionError.self) { try await Program.container.resolve(Shop.self) }
    }
    #expect(issues.map(\.path) == [["Shop", "Network"]])
    #expect(issues.allSatisfy { "\($0)".contains("Registered as external at ActorDITestingTests/StrictTests.swift:") })
  }

  /// The operation itself records nothing.
  @Test func aStrictOperationWithinAStrictTestFailsTheTest() async throws {
    let issues = try await self.issues(of: .container(overriding: Program.container, strict: true)) {
      try await Program.container.withOverrides(strict: true) {
      } operation: {
        _ = try? await Program.container.resolve(Shop.self)
      }
    }
    #expect(issues.map(\.path) == [["Shop", "Network"]])
  }

  @Test func anIgnoredErrorFailsTheTestToo() async throws {
    let issues = try await self.issues(of: .container(overriding: Program.container, strict: true)) {
      _ = try? await Program.container.resolve(Network.self)
      _ = try? await Container.current.resolve(Network.self)
    }
    #expect(issues.map(\.path) == [["Network"], ["Network"]])
  }

  /// The factory of an asynchronous kept service runs in a task that has no current test.
  @Test func aFactoryInATaskOfTheContainerFailsTheTest() async throws {
    let issues = try await self.issues(of: .container(overriding: Program.container, strict: true)) {
      await #expect(throws: ResolutionError.self) { try await Program.container.resolve([Shop].self) }
    }
    #expect(issues.map(\.path) == [["[Shop]", "Shop", "Network"]])
  }

  @Test(arguments: [false, true])
  func theCurrentContainerCanBeStrict(isOverridden: Bool) async throws {
    let found = try await Container.withCurrent(Program.container) { () async throws in
      try await self.issues(
        of: .container(strict: true) { if isOverridden { Registration(instance: Network("fake")) } }
      ) {
        let shop = await Result { try await Container.current.resolve(Shop.self) }
        #expect((try? shop.get().network.name) == (isOverridden ? "fake" : nil))
      }
    }
    #expect(found.count == (isOverridden ? 0 : 1))
  }

  @Test func aLenientTraitAllowsExternalServices() async throws {
    let issues = try await self.issues(of: .container(overriding: Program.container)) { () async throws in
      #expect(try await Program.container.resolve(Shop.self).network.name == "real")
    }
    #expect(issues.isEmpty)
  }

  /// A detached task has no current test.
  @Test func aUseAfterTheEndOfTheTestIsRecordedAtOnce() async throws {
    let injected = Mutex<Injected<Shop>?>(nil)
    let issues = try await self.issues(of: .container(overriding: Program.container, strict: true)) {
      injected.withLock { $0 = Injected<Shop>(from: Program.container) }
    }
    #expect(issues.isEmpty)
    let shop = try #require(injected.withLock { $0 })
    await withKnownIssue {
      _ = try? await shop()
    } matching: {
      ($0.error as? ResolutionError)?.code == .external
    }
  }

  // MARK: Properties that cannot throw

  @Test func aPropertyRecordsTheIssueAndStops() async throws {
    let issues = Mutex<[String]>([])
    let text = "Network is external, and no override replaces it in this strict test."
    try await withKnownIssue {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let container = Container { Registration(autowired: Network.self) { Network() }.external() }
        // Records nothing itself, as in a task without a current test.
        let strictness = Strictness { ExternalUse(error: $0, use: ForbiddenUse(at: #_sourceLocation)) }
        try await container.withOverrides(Registrations(), strictness) {
          _ = Injected<Network>(from: container).wrappedValue
        }
      }
      let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(output.contains("Fatal error: @Injected ActorDITestingTests."), "\(output)")
      #expect(output.contains(text), "\(output)")
    } matching: { issue in
      issues.withLock { $0.append("\(issue)") }
      return "\(issue)".contains(text)
    }
    #expect(issues.withLock { $0.count } == 1)
  }
}
