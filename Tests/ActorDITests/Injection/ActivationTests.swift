import ActorDI
import ActorDITestSupport
import Testing

/// Containers that the root container searches. All tests of the process share the root, so each has its own services.
@Suite("Active containers", .timeLimit(.minutes(5)))
struct ActivationTests {
  @Test func theRootFindsServicesOfAnActiveContainer() throws {
    struct Service: Sendable {}
    let container = Container { Service() }
    #expect(!Container.root.contains(Service.self))
    let activation = container.activate()
    #expect(Container.root.contains(Service.self))
    #expect(Injected<Service?>().wrappedValue != nil)
    activation.cancel()
    #expect(!Container.root.contains(Service.self))
    activation.cancel()
    #expect(Injected<Service?>().wrappedValue == nil)
  }

  @Test func theRootSharesAnActiveContainersSingleton() throws {
    final class Service: Sendable {}
    let container = Container { Registration(Service.self, scope: .singleton) { _ in Service() } }
    let activation = container.activate()
    let service = Injected<Service>().wrappedValue
    #expect(try container.resolve(Service.self) === service)
    #expect(try Container.root.resolve(Service.self) === service)
    activation.cancel()
  }

  @Test func releasingTheLastReferenceDeactivatesTheContainer() {
    struct Service: Sendable {}
    let container = Container { Service() }
    var activation: Activation? = container.activate()
    var other = activation
    #expect(Container.root.contains(Service.self))
    activation = nil
    #expect(Container.root.contains(Service.self))
    withExtendedLifetime(other) {}
    other = nil
    #expect(!Container.root.contains(Service.self))
  }

  @Test func theContainerActivatedFirstWins() {
    struct Service: Sendable { let number: Int }
    let first = Container { Service(number: 1) }.activate()
    let second = Container { Service(number: 2) }.activate()
    #expect(Injected<Service>().wrappedValue.number == 1)
    #expect(Injected<[Service]>().wrappedValue.map(\.number) == [1])
    first.cancel()
    #expect(Injected<Service>().wrappedValue.number == 2)
    second.cancel()
  }

  @Test func aContainerActivatedTwiceStaysActiveUntilBothActivationsEnd() {
    struct Service: Sendable {}
    let container = Container { Service() }
    let first = container.activate()
    let second = container.activate()
    first.cancel()
    #expect(Container.root.contains(Service.self))
    second.cancel()
    #expect(!Container.root.contains(Service.self))
  }

  @Test func activatingTheRootHasNoEffect() {
    struct Service: Sendable {}
    let activation = Container.root.activate()
    #expect(!Container.root.contains(Service.self))
    activation.cancel()
    #expect(Container.current === Container.root)
  }

  @Test func anActivationKeepsItsContainerAlive() async {
    let lifetime = ObjectLifetime()
    let activation = {
      let token = lifetime.token()
      return Container {
        Registration(Probe.self) { _ in
          _ = token; return Probe()
        }
      }.activate()
    }()
    #expect(!lifetime.hasEnded)
    activation.cancel()
    await lifetime.ended.wait()
    withExtendedLifetime(activation) {}
  }
}
