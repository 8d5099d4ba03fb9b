import ActorDI
import ActorDITesting
import Testing

private protocol Mailer: Sendable {
  func send(_ text: String) async throws -> Int
}

private struct ServerMailer: Mailer {
  func send(_ text: String) async throws -> Int { text.count }
}

private struct FakeMailer: Mailer {
  func send(_ text: String) -> Int { 0 }
}

private final class Newsletter: Sendable {
  private let mailer: any Mailer
  init(mailer: any Mailer) { self.mailer = mailer }
  func publish() async throws -> Int { try await mailer.send("news") }
}

private let container = Container {
  Registration(autowired: (any Mailer).self, scope: .singleton, initializer: ServerMailer.init)
  Registration(autowired: Newsletter.self, scope: .singleton, initializer: Newsletter.init)
}

/// Uses the library and its testing product in a test target of the Swift 5 language mode.
struct Swift5ConsumerTests {
  @Test(.container(overriding: container) { Registration(autowired: (any Mailer).self) { FakeMailer() } })
  func aTraitOverrides() async throws {
    let count = try await container.resolve(Newsletter.self).publish()
    #expect(count == 0)
  }

  @Test func withoutOverridesTheServiceIsTheContainersOwn() async throws {
    let count = try await container.resolve(Newsletter.self).publish()
    #expect(count == 4)
  }

  @Test func aDecoratorOverrides() async throws {
    struct Doubled: Mailer {
      let mailer: any Mailer
      func send(_ text: String) async throws -> Int { try await 2 * mailer.send(text) }
    }
    let count = try await container.withOverrides {
      Decorator((any Mailer).self) { _, mailer in Doubled(mailer: mailer) }
    } operation: {
      try await container.resolve(Newsletter.self).publish()
    }
    #expect(count == 8)
  }

  @Test func aStrictOperationRefusesAnExternalService() async throws {
    let live = Container { Registration(autowired: (any Mailer).self) { ServerMailer() }.external() }
    let error = await #expect(throws: ResolutionError.self) {
      try await live.withOverrides(strict: true) {
      } operation: {
        _ = try await live.resolve((any Mailer).self)
      }
    }
    #expect(error?.code == .external)
  }

  @Test(.container(overriding: container, strict: true))
  func aStrictTestUsesOtherServices() async throws {
    let count = try await container.resolve(Newsletter.self).publish()
    #expect(count == 4)
  }

  @Test func everythingCanBeBuilt() async { await container.validated() }
}
