import ActorDI
import Synchronization
import Testing

@testable import ActorDITesting

private protocol Payments: Sendable {}
private struct NoPayments: Payments {}
private final class Shop: Sendable {
  init(payments: any Payments) {}
}

private let text =
  "any Payments is not implemented for this test, but was resolved. Resolution path: Shop -> any Payments"

private let container = Container {
  Registration.unimplemented((any Payments).self)
  Registration(autowired: Shop.self, initializer: Shop.init)
}

struct UnimplementedTests {
  @Test(.container { Registration.unimplemented((any Payments).self) })
  func anUnresolvedUnimplementedServiceDoesNotFailTheTest() {
    #expect(Container.current.contains((any Payments).self))
  }

  @Test func resolvingAnUnimplementedServiceFailsTheTestWithThePath() async throws {
    try await withKnownIssue {
      _ = try await container.resolve(Shop.self)
    } matching: { issue in
      guard let error = issue.error as? UnimplementedServiceError else { return false }
      return error.path == ["Shop", "any Payments"] && error.service == "any Payments"
        && "\(error)".hasSuffix("Resolution path: Shop -> any Payments")
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
      (issue.error as? UnimplementedServiceError)?.path == ["Shop", "any Payments"]
    }
  }

  // MARK: Properties that cannot throw

  /// The output of a process that stops, with the issues that it records as issues of this test.
  private func output(of result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func aPropertyRecordsTheIssueAndStops() async throws {
    let issues = Mutex<[String]>([])
    await withKnownIssue {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Injected<Shop>(from: container).wrappedValue
      }
      let output = output(of: result)
      #expect(output.contains("Fatal error: @Injected ActorDITestingTests."), "\(output)")
      #expect(output.contains(text), "\(output)")
    } matching: { issue in
      issues.withLock { $0.append("\(issue)") }
      return "\(issue)".contains(text)
    }
    #expect(issues.withLock { $0.count } == 1)
  }

  /// Without a current test, the issue would be recorded at the end of the test, which the process does not reach.
  @Test func aPropertyRecordsACollectedIssueBeforeItStops() async throws {
    let issues = Mutex<[String]>([])
    await withKnownIssue {
      await #expect(processExitsWith: .failure) {
        let container = ForbiddenUses.$current.withValue(ForbiddenUses()) {
          Container {
            Registration.unimplemented((any Payments).self)
            Registration(autowired: Shop.self, initializer: Shop.init)
          }
        }
        _ = Injected<Shop>(from: container).wrappedValue
      }
    } matching: { issue in
      issues.withLock { $0.append("\(issue)") }
      return "\(issue)".contains(text)
    }
    #expect(issues.withLock { $0.count } == 1)
  }

  @Test func anOptionalPropertyIsNilAfterTheIssue() async throws {
    let container = Container { Registration.unimplemented((any Payments).self) }
    withKnownIssue {
      #expect(Injected<(any Payments)?>(from: container).wrappedValue == nil)
    } matching: {
      $0.error is UnimplementedServiceError
    }
  }

  @Test func aPlaceholderKeepsThePropertyUsable() async throws {
    let container = Container {
      Registration.unimplemented((any Payments).self, placeholder: NoPayments())
      Registration(autowired: Shop.self, initializer: Shop.init)
    }
    withKnownIssue {
      #expect(Injected<any Payments>(from: container).wrappedValue is NoPayments)
    } matching: {
      ($0.error as? UnimplementedServiceError)?.path == ["any Payments"]
    }
    try await withKnownIssue {
      _ = try await container.resolve(Shop.self)
    } matching: {
      ($0.error as? UnimplementedServiceError)?.path == ["Shop", "any Payments"]
    }
  }
}
