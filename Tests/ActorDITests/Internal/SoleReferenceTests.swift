import Testing

@testable import ActorDI

@Suite("Sole references") struct SoleReferenceTests {
  private final class Object: Sendable {}

  /// A new object with one reference, which is this one's.
  @safe
  private final class New {
    private let reference = unsafe Unmanaged.passRetained(Object())
    deinit { unsafe reference.release() }

    var isSole: Bool { unsafe reference.isSole }
    /// With a reference of the caller's.
    var object: Object { unsafe reference.takeUnretainedValue() }
  }

  @Test func aNewObjectHasOne() {
    let new = New()
    #expect(new.isSole)
  }

  @Test func strongOnesAreCounted() {
    let new = New()
    var held = [new.object]
    #expect(!new.isSole)
    held.removeAll()
    #expect(new.isSole)
  }

  @Test func weakOnesAreCounted() {
    let new = New()
    weak let object = new.object
    #expect(!new.isSole)
    #expect(object != nil)
  }

  @Test func unownedOnesAreCounted() {
    let new = New()
    do {
      unowned let object = new.object
      #expect(!new.isSole)
      _ = object
    }
    #expect(new.isSole)
  }
}
