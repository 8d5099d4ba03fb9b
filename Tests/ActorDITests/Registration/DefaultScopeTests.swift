import ActorDITestSupport
import Testing

@testable import ActorDI

/// A class that is not `Sendable`: each caller owns its instance.
private final class Notebook {
  var pages = 0
}

/// The scope of registrations that specify none.
struct DefaultScopeTests {
  @Test(arguments: [Scope.transient, .graph, .shared, .singleton, .automatic])
  func registrationsWithoutAScopeGetTheContainersDefault(scope: Scope) async throws {
    let container = Container(configuration: .init(defaultScope: scope)) {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Beta.self) { _ in
        await Task.yield()
        return Beta(alpha: Alpha())
      }
      Registration(Probe.self) { @MainActor _ in Probe() }
      Registration(initializer: Gamma.init)
      Registration(Root.self) { (_, _: Int) in Root() }
      Setting()
      Registration(Stem.self, scope: .transient) { _ in Stem() }
    }
    #expect(
      container.registrations.map(\.scope) == Array(repeating: scope, count: 6) + [.transient])
    let keeps = scope != .transient && scope != .graph
    let alpha = try await container.resolve(Alpha.self)
    #expect(try await (container.resolve(Alpha.self) === alpha) == keeps)
  }

  @Test func withoutConfigurationTheDefaultScopeIsTransient() throws {
    let container = Container { Registration(Alpha.self) { _ in Alpha() } }
    #expect(container.registrations.map(\.scope) == [.transient])
    #expect(try container.resolve(Alpha.self) !== container.resolve(Alpha.self))
  }

  @Test func registerAndAutoregisterApplyTheDefaultScope() async throws {
    let container = Container(configuration: .init(defaultScope: .singleton))
    try await container.register(Alpha.self) { _ in Alpha() }
    try await container.autoregister(initializer: Beta.init)
    try await container.register(Gamma.self, scope: .transient) { r in
      Gamma(beta: try r.resolve(), alpha: try r.resolve())
    }
    #expect(container.registrations.map(\.scope) == [.singleton, .singleton, .transient])
  }

  @Test func aNonSendableServiceIsAlwaysTransient() async throws {
    let container = Container(configuration: .init(defaultScope: .singleton)) {
      Registration(Notebook.self) { _ in Notebook() }
      Registration(Notebook.self) { (_, pages: Int) in
        let notebook = Notebook()
        notebook.pages = pages
        return notebook
      }
      Registration(Notebook.self) { _ in
        await Task.yield()
        return Notebook()
      }.key("slow")
    }
    #expect(container.registrations.map(\.scope) == [.transient, .transient, .transient])
    let first = try await container.resolve(Notebook.self)
    let second = try await container.resolve(Notebook.self)
    first.pages = 5
    #expect(second.pages == 0)
    #expect(try await container.resolve(Notebook.self, arguments: 9).pages == 9)
    let slow = try await container.resolve(Notebook.self, key: "slow")
    #expect(slow.pages == 0)
  }

  @Test func theCallerCanSendANonSendableInstanceToAnotherTask() async throws {
    let container = Container { Registration(Notebook.self) { _ in Notebook() } }
    let notebook = try await container.resolve(Notebook.self)
    let pages = await Task {
      notebook.pages += 1
      return notebook.pages
    }.value
    #expect(pages == 1)
  }

  @Test func hooksAndInjectedPropertiesApplyToANonSendableService() throws {
    let container = Container {
      Registration(Int.self) { _ in 11 }
      Registration(Notebook.self) { _ in Notebook() }.inject(\.pages)
        .onCreated { notebook, _ in notebook.pages += 1 }
    }
    #expect(try container.resolve(Notebook.self).pages == 12)
  }

  @Test func aGroupsScopeDoesNotApplyToANonSendableService() {
    let container = Container {
      RegistrationGroup(scope: .singleton) {
        Registration(Notebook.self) { _ in Notebook() }
        Registration(Alpha.self) { _ in Alpha() }
      }
    }
    #expect(container.registrations.map(\.scope) == [.transient, .singleton])
  }
}
