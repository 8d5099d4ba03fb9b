extension Container {
  /// The configuration of a container. Its scopes share it, and its children that were given none.
  final class Settings: Sendable {
    let configuration: Configuration
    // Parts of the configuration. Reading them there would copy it.
    let capacity: Int
    let defaultScope: Scope

    init(_ configuration: Configuration) {
      self.configuration = configuration
      capacity = configuration.reservedCapacity
      defaultScope = configuration.defaultScope
    }
    static let standard = Settings(Configuration())
  }
}
