import Synchronization

/// Reports when an object is freed. Tests wait for the end instead of checking for it, since the reclaimer may release
/// references later.
package final class ObjectLifetime: Sendable {
  package let ended = Gate()
  private let flag = Atomic<Bool>(false)

  package init() {}

  package var hasEnded: Bool { flag.load(ordering: .acquiring) }

  /// Makes an object whose deinitialisation ends this lifetime.
  package func token() -> Token { Token(self) }

  package final class Token: Sendable {
    private let lifetime: ObjectLifetime
    fileprivate init(_ lifetime: ObjectLifetime) { self.lifetime = lifetime }
    deinit {
      lifetime.flag.store(true, ordering: .releasing)
      lifetime.ended.open()
    }
  }
}

/// Increments a counter when it is freed.
package final class DeinitCounter: Sendable {
  private let freed: Counter
  package init(_ freed: Counter) { self.freed = freed }
  deinit { freed.increment() }
}
