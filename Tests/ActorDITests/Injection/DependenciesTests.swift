import ActorDI
import ActorDITestSupport
import Testing

/// A property that keeps its container active.
@Suite("Dependencies", .timeLimit(.minutes(5)))
struct DependenciesTests {
  private struct First: Sendable { var number = 0 }
  private struct Second: Sendable {}
  private struct Third: Sendable {}
  private struct Fourth: Sendable {}

  private final class App {
    @Dependencies var container = Container(name: "app") { First(number: 1) }
  }

  @Test func aContainerIsActiveAsLongAsItsProperty() async throws {
    do {
      let app = App()
      #expect(Injected<First>().wrappedValue.number == 1)
      #expect(app.container.name == "app")
      try await app.container.register { Fourth() }
      #expect(Injected<Fourth?>().wrappedValue != nil)
      // Assigning replaces the active container.
      app.container = Container(name: "next") { First(number: 2) }
      #expect(app.container.name == "next")
      #expect(Injected<First>().wrappedValue.number == 2)
      #expect(!Container.root.contains(Fourth.self))
      app.$container.setContainer(Container { First(number: 3) })
      #expect(Injected<First>().wrappedValue.number == 3)
      withExtendedLifetime(app) {}
    }
    #expect(!Container.root.contains(First.self))
  }

  @Test func assigningReleasesThePreviousContainer() async {
    let lifetimes = [ObjectLifetime(), ObjectLifetime()]
    func container(_ number: Int) -> Container {
      let token = lifetimes[number].token()
      return Container {
        Registration(Second.self) { _ in
          _ = token; return Second()
        }
      }
    }
    do {
      @Dependencies var active = container(0)
      active = container(1)
      await lifetimes[0].ended.wait()
      #expect(!lifetimes[1].hasEnded)
      #expect(Container.root.contains(Second.self))
    }
    await lifetimes[1].ended.wait()
    #expect(!Container.root.contains(Second.self))
  }

  @Test func copiesOfAStructureShareTheContainer() {
    struct Shop {
      @Dependencies var container = Container { Third() }
    }
    var shop: Shop? = Shop()
    var copy = shop
    shop = nil
    #expect(Container.root.contains(Third.self))
    copy?.container = Container()
    #expect(!Container.root.contains(Third.self))
    copy = nil
    #expect(shop == nil)
  }
}
