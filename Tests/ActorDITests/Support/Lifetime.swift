import Synchronization

/// Reports when an object is freed. Tests wait for the end instead of checking for it, since the reclaimer may release
/// references later.
final class Lifetime: Sendable {
  let ended = Gate()
  private let flag = Atomic<Bool>(false)
  var hasEnded: Bool { flag.load(ordering: .acquiring) }

  /// Makes an object whose deinitialisation ends this lifetime.
  func token() -> Token { Token(self) }

  final class Token: Sendable {
    private let lifetime: Lifetime
    fileprivate init(_ lifetime: Lifetime) { self.lifetime = lifetime }
    deinit {
      lifetime.flag.store(true, ordering: .releasing)
      lifetime.ended.open()
    }
  }
}

/// Increments a counter when it is freed.
final class DeinitCounter: Sendable {
  private let freed: Counter
  init(_ freed: Counter) { self.freed = freed }
  deinit { freed.increment() }
}
