import Testing

@testable import ActorDI

private protocol Ending: AnyObject {}

private final class Ended: Ending {
  private let census: Census
  init(_ census: Census) {
    self.census = census
    census.count(1)
  }
  deinit { census.count(-1) }
}

/// As the compiler knows of the memory of a box that it is bytes, it could conclude that no object is kept there.
@Suite struct BoxedObjectTests {
  @Test("An object that nothing but a box refers to lives as long as the box")
  func lifetimes() {
    let census = Census()
    for _ in 0..<10 {
      let instances = (boxed(Ended(census)), boxed(any: Ended(census)), boxed(optional: Ended(census)))
      #expect(census.live == 3)
      withExtendedLifetime(instances) {}
    }
    #expect(census.live == 0)
  }

  @inline(never) private func boxed(_ object: Ended) -> Instance { Instance(holding: object) }

  @inline(never) private func boxed(any object: any Ending) -> Instance { held(object, as: (any Ending).self) }

  @inline(never) private func boxed(optional object: Ended?) -> Instance { Instance(holding: object) }

  @inline(__always) private func held<Value>(_ value: Value, as type: Value.Type) -> Instance {
    Instance(holding: value)
  }
}
