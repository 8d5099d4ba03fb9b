internal import Synchronization

/// A container's registry under its lock.
final class RegistryCell: Sendable {
  private let registry: Lock<Registry>
  private let nextOrder: Atomic<UInt32>
  private let lastVersion = Atomic(RegistryStamp.neverChanged)
  private static let newestVersion = Atomic(RegistryStamp.neverChanged)

  /// - Parameter bindings: what stands in the container's snapshot already, numbered from 1.
  init(_ bindings: [Binding]) {
    registry = Lock(Registry(bindings))
    nextOrder = Atomic(UInt32(bindings.count) + 1)
    if !bindings.isEmpty { endVersion() }
  }

  func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Registry) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try registry.withLock(body)
  }

  /// Numbers bindings in the order in which they are made.
  ///
  /// - Returns: the first of so many numbers. After some thousand millions they begin anew.
  func takeOrder(_ count: Int = 1) -> UInt32 {
    nextOrder.wrappingAdd(UInt32(truncatingIfNeeded: count), ordering: .relaxed).oldValue
  }

  /// Tells the registry's contents from all others there ever were in the process: see ``RegistryStamp``.
  var version: UInt { lastVersion.load(ordering: .acquiring) }

  /// Before the publication, under the lock: who has found what is new does not take the version for that of the old.
  func beginVersion() {
    // Relaxed: the publication comes after it, and releases it.
    lastVersion.bitwiseOr(RegistryStamp.changing, ordering: .relaxed)
  }

  /// After the publication, under the lock: who has read the new version finds what it stands for.
  func endVersion() {
    let new = Self.newestVersion.add(RegistryStamp.step, ordering: .relaxed).newValue
    lastVersion.store(new, ordering: .releasing)
  }
}
