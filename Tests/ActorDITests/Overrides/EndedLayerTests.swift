import ActorDITestSupport
import Testing

@testable import ActorDI

/// An override layer after its end, as a task sees it that has found the layer in force a moment before.
@Suite("Ended layers", .timeLimit(.minutes(5)))
struct EndedLayerTests {
  @Test func anEndedLayerTakesInNothing() async throws {
    let app = Container()
    let outer = try OverrideLayer(of: app, Registrations {}, nil)
    outer.begin()
    let inner = try OverrideLayer.$current.withValue(outer) {
      try OverrideLayer(of: app, Registrations {}, nil)
    }
    inner.begin()
    _ = await inner.end(after: .completed)
    let succession: OverrideSuccession? = inner.makeSuccession()
    #expect(succession?.layer === outer)
    _ = await outer.end(after: .completed)
    let single = try OverrideLayer(of: app, Registrations {}, nil)
    single.begin()
    _ = await single.end(after: .completed)
    let none: OverrideSuccession? = single.makeSuccession()
    #expect(none == nil)
    let own = Probe("own")
    #expect(inner.shadow(of: own) { Probe("shadow") } === own)
    let substitute: Container? = inner.substitute(for: app.makeChild())
    #expect(substitute == nil)
  }
}
