public import ActorDI
public import Configuration

extension Registration where Service: Sendable {
  /// Registers a service that a factory makes of configuration values, such as the settings of one component.
  ///
  /// ```swift
  /// struct ServerSettings: Sendable {
  ///   var host: String
  ///   var port: Int
  ///
  ///   init(config: ConfigReader) throws {
  ///     host = config.string(forKey: "host", default: "localhost")
  ///     port = try config.requiredInt(forKey: "port")
  ///   }
  /// }
  ///
  /// let app = Container {
  ///   Registration(from: config.scoped(to: "http"), factory: ServerSettings.init)
  /// }
  /// try app.validate()
  /// ```
  ///
  /// `validate()` reports a required value that is missing, or of another type, as a ``ConfigurationValue`` that the service depends on.
  /// For this check, the factory also runs when the registration is created. It stops at the first such value, so each registration
  /// reports one. Other errors of the factory are not part of the check.
  ///
  /// The service is a singleton by default: it is read once, at its build, and a provider that reloads does not change it. In
  /// `.scoped("request")`, each scope reads it anew.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - config: The reader.
  ///   - scope: The scope of the instances. If a required value is missing when the registration is created, it is `.singleton`.
  ///   - factory: Reads the values by the `get` methods of the reader.
  public init(
    _ service: Service.Type = Service.self, from config: ConfigReader, scope: Scope = .singleton,
    factory: @escaping @Sendable (ConfigReader) throws -> Service, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let missing = missingValue(for: factory, in: config)
    // The dependencies of a scoped service may come with its scope, so `validate()` would not require them.
    let scope = missing == nil ? scope : .singleton
    let registration = Registration(
      service, scope: scope, factory: { _ in try factory(config) }, fileID: fileID, line: line)
    if let missing {
      self = registration.dependsOn(ConfigurationValue.self, key: missing)
    } else {
      self = registration.dependsOn()
    }
  }

  /// Registers a service that a factory makes of configuration values under a token, such as a single value.
  ///
  /// ```swift
  /// extension ServiceKey where Service == String {
  ///   static var databaseURL: Self { .init("databaseURL") }
  /// }
  ///
  /// Registration(.databaseURL, from: config) { try $0.requiredString(forKey: "database.url", isSecret: true) }
  /// ```
  ///
  /// Otherwise, the same as the form without a token.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - config: The reader.
  ///   - scope: The scope of the instances. If a required value is missing when the registration is created, it is `.singleton`.
  ///   - factory: Reads the values by the `get` methods of the reader.
  public init(
    _ token: ServiceKey<Service>, from config: ConfigReader, scope: Scope = .singleton,
    factory: @escaping @Sendable (ConfigReader) throws -> Service, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(from: config, scope: scope, factory: factory, fileID: fileID, line: line).key(token)
  }
}

/// A required configuration value, in the problems and graphs of a container that lacks it.
///
/// Its key is the configuration key. A value of another type has the key and the wanted type: `HTTP_PORT as int`. The value itself is
/// part of no text.
public enum ConfigurationValue: Sendable {}

/// The first required value that a factory misses; nil if it misses none.
private func missingValue<Service>(for factory: (ConfigReader) throws -> Service, in config: ConfigReader) -> String? {
  do {
    _ = try factory(config)
    return nil
  } catch {
    // The type of these errors is not public. They state keys and types. The text of any other error may state a value.
    guard String(reflecting: type(of: error)).hasPrefix("Configuration.") else { return nil }
    return switch Mirror(reflecting: error).children.first?.value {
    case let key as AbsoluteConfigKey: "\(key)"
    case let (name, type) as (name: String, type: ConfigType): "\(name) as \(type)"
    case let (name, type) as (name: String, type: String): "\(name) as \(type)"
    default: "\(error)"
    }
  }
}
