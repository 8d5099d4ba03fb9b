import Synchronization

/// Tells when an object is freed. References may go by way of the reclaimer, so the end is awaited,
/// not asked for.
final class Lifetime: Sendable {
  let ended = Gate()
  private let flag = Atomic<Bool>(false)
  var hasEnded: Bool { flag.load(ordering: .acquiring) }

  /// An object whose end this lifetime tells.
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
