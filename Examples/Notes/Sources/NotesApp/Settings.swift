import Configuration
import Logging

/// The settings of the program, with a default for each.
public struct Settings: Sendable {
  /// The address of the application.
  public var host = "127.0.0.1"
  /// The port of the application.
  public var port = 8080
  /// The port of the administration, which listens on the loopback interface only.
  public var adminPort = 8081
  /// The file of the database. Its folder is made if it does not exist.
  public var databasePath = "data/notes.sqlite"
  /// The time after which a deleted note is gone, in seconds.
  public var trashLifetime = 30 * 24 * 3_600
  /// The time between two rounds of the trash collector, in seconds.
  public var trashInterval = 3_600
  /// The least important log lines to write.
  public var logLevel = Logger.Level.info

  /// Creates the default settings.
  public init() {}

  /// Reads the settings.
  ///
  /// - Parameter config: The configuration. `http.port` is the environment variable `HTTP_PORT`.
  public init(_ config: ConfigReader) {
    host = config.string(forKey: "http.host", default: host)
    port = config.int(forKey: "http.port", default: port)
    adminPort = config.int(forKey: "admin.port", default: adminPort)
    databasePath = config.string(forKey: "database.path", default: databasePath)
    trashLifetime = config.int(forKey: "trash.lifetime", default: trashLifetime)
    trashInterval = config.int(forKey: "trash.interval", default: trashInterval)
    logLevel = config.string(forKey: "log.level", as: Logger.Level.self, default: logLevel)
  }
}
