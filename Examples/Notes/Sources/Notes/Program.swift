import ActorDI
import ActorDIInspector
import ActorDILogging
import ActorDIMetrics
import ActorDIServiceLifecycle
import Configuration
import Hummingbird
import Logging
import Metrics
import NotesApp
import ServiceLifecycle

@main
struct Program {
  static func main() async throws {
    let config = ConfigReader(providers: [EnvironmentVariablesProvider(), Settings.defaults])
    var logger = Logger(label: "notes")
    logger.logLevel = config.string(forKey: "log.level", as: Logger.Level.self, default: .info)
    let metrics = MetricsBoard()
    MetricsSystem.bootstrap(metrics)
    let inspector = ContainerInspector()

    let app = makeContainer(
      config, logger: logger, observers: [LoggingObserver(logger), MetricsObserver(factory: metrics), inspector])
    // A missing service or a wrong setting ends the program here, before the port opens.
    try await app.validate()

    let settings = try await app.resolve(Settings.self)
    let server = Application(
      router: makeRouter(app), configuration: .init(address: .hostname(settings.host, port: settings.port)),
      logger: logger)
    var adminLogger = logger
    adminLogger[metadataKey: "server"] = "admin"
    let admin = Application(
      router: makeAdminRouter(app, metrics: metrics, inspector: inspector),
      configuration: .init(address: .hostname("127.0.0.1", port: settings.adminPort)), logger: adminLogger)
    // The first service is shut down last.
    let group = ServiceGroup(
      services: [ContainerService(app, shutdownTimeout: .seconds(8), logger: logger), admin, server],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    try await group.run()
  }
}
