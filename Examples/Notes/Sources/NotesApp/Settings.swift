import Configuration

/// The settings of the program. Each is required, so that the check of the container reports a value of a wrong type.
public struct Settings: Sendable {
  /// The address of the application.
  public let host: String
  /// The port of the application.
  public let port: Int
  /// The port of the administration, which listens on the loopback interface only.
  public let adminPort: Int
  /// The file of the database. Its folder is made if it does not exist.
  let databasePath: String
  /// The time after which a deleted note is gone, in seconds.
  let trashLifetime: Int
  /// The time between two rounds of the trash collector, in seconds.
  let trashInterval: Int

  /// The values of what no other provider sets.
  public static let defaults = InMemoryProvider(
    name: "defaults",
    values: [
      "http.host": "127.0.0.1", "http.port": 8080, "admin.port": 8081, "database.path": "data/notes.sqlite",
      "trash.lifetime": 2_592_000, "trash.interval": 3600,
    ])

  /// Reads the settings. `http.port` is the environment variable `HTTP_PORT`.
  init(_ config: ConfigReader) throws {
    host = try config.requiredString(forKey: "http.host")
    port = try config.requiredInt(forKey: "http.port")
    adminPort = try config.requiredInt(forKey: "admin.port")
    databasePath = try config.requiredString(forKey: "database.path")
    trashLifetime = try config.requiredInt(forKey: "trash.lifetime")
    trashInterval = try config.requiredInt(forKey: "trash.interval")
  }
}
