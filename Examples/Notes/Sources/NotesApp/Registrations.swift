import ActorDI
import ActorDIConfiguration
import ActorDIServiceLifecycle
import Configuration
import GRDB
import Logging

/// Creates the container of the application.
///
/// - Parameters:
///   - config: The source of the settings.
///   - logger: The logger of the program.
///   - observers: The observers of the container, for logs and metrics.
public func makeContainer(
  _ config: ConfigReader, logger: Logger, observers: [any ContainerObserver] = []
) -> Container {
  Container(name: "notes", configuration: .init(observers: observers)) {
    Registration(from: config, factory: Settings.init)
    Registration(instance: logger)
    Registration(instance: TimeSource())
    Registration(autowired: DatabasePool.self, scope: .singleton, initializer: openDatabase)
      .eager()
      .onDispose { pool in try pool.close() }
    Registration(autowired: WriterTurns.self, scope: .singleton, initializer: WriterTurns.init)
    Registration(autowired: TrashCollector.self, scope: .singleton, initializer: TrashCollector.init).runs()

    RegistrationGroup(scope: .scoped("request")) {
      Registration(autowired: WriteTransaction.self, initializer: WriteTransaction.init)
        .onDispose { transaction, outcome in try await transaction.end(outcome) }
      Registration(autowired: UnitOfWork.self, initializer: UnitOfWork.init(pool:transaction:))
      Registration(autowired: UserStore.self, initializer: UserStore.init)
      Registration(autowired: NoteStore.self, initializer: NoteStore.init)
      Registration(autowired: Authentication.self, initializer: Authentication.init)
      Registration(autowired: UserController.self, initializer: UserController.init)
      Registration(autowired: NoteController.self, initializer: NoteController.init)
    }
  }
}
