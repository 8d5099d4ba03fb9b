internal import Synchronization

/// The registry of a container, under its lock.
final class RegistryCell: Sendable {
  private let registry: Lock<Registry>
  private let lastVersion = Atomic(RegistryStamp.neverChanged)
  private static let newestVersion = Atomic(RegistryStamp.neverChanged)

  /// - Parameter bindings: The bindings in the container's published snapshot.
  init(_ bindings: [Binding]) {
    registry = Lock(Registry(bindings))
    if !bindings.isEmpty { endVersion() }
  }

  func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Registry) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try registry.withLock(body)
  }

  /// The version of the registry's contents, which no other registry of the process has: see ``RegistryStamp``.
  ///
  /// Sequentially consistent, as its store is: a thread publishes a list and then looks at the version, another one sets a version and then
  /// looks for lists.
  var version: UInt { lastVersion.load(ordering: .sequentiallyConsistent) }

  /// Marks a change that is about to be published, so that readers do not take new contents for the old version. Under
  /// the lock.
  func beginVersion() {
    // Relaxed, since the publication that follows releases it.
    lastVersion.bitwiseOr(RegistryStamp.changing, ordering: .relaxed)
  }

  /// Sets a new version after the publication, so that readers of the version find the new contents. Under the lock.
  func endVersion() {
    let new = Self.newestVersion.add(RegistryStamp.step, ordering: .relaxed).newValue
    lastVersion.store(new, ordering: .sequentiallyConsistent)
  }
}

/// The versions of all registries in a search, to be compared with later ones.
///
/// The version of a registry is 0 until its first change. Each change sets a new one, unique in the process. While a
/// change is being published, the lowest bit is set: readers may find the old contents or the new.
struct RegistryStamp: Sendable {
  static let neverChanged: UInt = 0
  static let changing: UInt = 1
  static let step: UInt = 2

  let versions: [UInt]

  /// Whether searches find the same under both stamps: nothing was registered or removed in between, and no change was
  /// being published.
  func isUnchanged(since earlier: RegistryStamp) -> Bool {
    versions == earlier.versions && versions.allSatisfy { $0 & Self.changing == 0 }
  }
}
