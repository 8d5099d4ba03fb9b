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

/// The state that the registries of a search are in, to be compared with a later one.
///
/// A registry has a version: 0 as long as it has never had anything, and one of its own in the process after each change. While a
/// change is being published, its lowest bit is set: a reader may find the new contents or the old.
struct RegistryStamp: Sendable {
  static let neverChanged: UInt = 0
  static let changing: UInt = 1
  static let step: UInt = 2

  private let versions: [UInt]

  init(_ versions: [UInt]) { self.versions = versions }

  /// Whether nothing has been registered or removed between the two, and nothing was about to be: what was found with the one is what is
  /// found with the other.
  func isUnchanged(since earlier: RegistryStamp) -> Bool {
    versions == earlier.versions && versions.allSatisfy { $0 & Self.changing == 0 }
  }
}
