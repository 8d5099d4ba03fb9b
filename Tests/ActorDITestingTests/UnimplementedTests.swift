import ActorDI
import ActorDITesting
import Testing

private protocol Payments: Sendable {}
private final class Shop: Sendable {
  init(payments: any Payments) {}
}

struct UnimplementedTests {
  @Test(.container { Registration.unimplemented((any Payments).self) })
  func anUnresolvedUnimplementedServiceDoesNotFailTheTest() {
    #expect(Container.current.contains((any Payments).self))
  }

  @Test func resolvingAnUnimplementedServiceFailsTheTestWithThePath() async throws {
    let container = Container {
      Registration.unimplemented((any Payments).self)
      Registration(autowired: Shop.self, initializer: Shop.init)
    }
    try await withKnownIssue {
      _ = try await container.resolve(Shop.self)
    } matching: { issue in
      guard let error = issue.error as? UnimplementedServiceError else { return false }
      return error.path == ["Shop", "Payments"] && "\(error)".hasSuffix("Resolution path: Shop -> Payments")
    }
  }

  /// The factory of a kept service runs in a task that has no current test.
  @Test func aKeptServicesFactoryThatResolvesItFailsTheTest() async throws {
    let test = try #require(Test.current)
    let trait = ContainerTrait.container {
      Registration.unimplemented((any Payments).self)
      Registration(Shop.self, scope: .singleton) { resolver in
        Shop(payments: try await resolver.resolve())
      }
    }
    try await withKnownIssue {
      try await trait.provideScope(for: test, testCase: nil) {
        await #expect(throws: UnimplementedServiceError.self) {
          try await Container.current.resolve(Shop.self)
        }
      }
    } matching: { issue in
      (issue.error as? UnimplementedServiceError)?.path == ["Shop", "Payments"]
    }
  }
}
