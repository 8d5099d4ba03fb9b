extension Container {
  /// The configuration of a container. Its scopes share it.
  final class Settings: Sendable {
    let configuration: Configuration
    /// The configuration's reserved capacity. Reading it there would copy the configuration.
    let capacity: Int
    init(_ configuration: Configuration) {
      self.configuration = configuration
      capacity = configuration.reservedCapacity
    }
    static let standard = Settings(Configuration())
  }
}
