import Testing

@testable import ActorDI

private protocol Boxable: AnyObject {}

private final class BoxedObject: Boxable {
  private let census: Census
  init(_ census: Census) {
    self.census = census
    census.count(1)
  }
  deinit { census.count(-1) }
}

/// The compiler knows a box's memory as bytes, and must not conclude that the box holds no object.
@Suite struct BoxedObjectTests {
  @Test("A box keeps its object alive")
  func lifetimes() {
    let census = Census()
    for _ in 0..<10 {
      let instances = (
        boxed(BoxedObject(census)), boxed(any: BoxedObject(census)), boxed(optional: BoxedObject(census))
      )
      #expect(census.live == 3)
      withExtendedLifetime(instances) {}
    }
    #expect(census.live == 0)
  }

  @inline(never) private func boxed(_ object: BoxedObject) -> Instance { Instance(holding: object) }

  @inline(never) private func boxed(any object: any Boxable) -> Instance { held(object, as: (any Boxable).self) }

  @inline(never) private func boxed(optional object: BoxedObject?) -> Instance { Instance(holding: object) }

  @inline(__always) private func held<Value>(_ value: Value, as type: Value.Type) -> Instance {
    Instance(holding: value)
  }
}
