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

extension Container {
  /// Changes when something is registered or removed, here or in a container that this one looks in, or when these are not the
  /// same any more.
  nonisolated var registryStamp: RegistryStamp {
    RegistryStamp(searchOrder.map { $0.existingRegistry?.version ?? RegistryStamp.neverChanged })
  }
}
