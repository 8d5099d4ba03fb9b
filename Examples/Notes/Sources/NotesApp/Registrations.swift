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
///   - clock: The clock by which a user is active.
public func makeContainer(
  _ config: ConfigReader, logger: Logger, observers: [any ContainerObserver] = [],
  clock: any Clock<Duration> = ContinuousClock()
) -> Container {
  Container(name: "notes", configuration: .init(observers: observers, clock: clock)) {
    Registration(from: config, factory: Settings.init)
    Registration(instance: logger)
    Registration(instance: TimeSource())
    Registration(autowired: DatabasePool.self, scope: .singleton, initializer: openDatabase)
      .eager()
      .onDispose { pool in try pool.close() }
    Registration(autowired: WriterTurns.self, scope: .singleton, initializer: WriterTurns.init)
    Registration(autowired: Authentication.self, scope: .singleton, initializer: Authentication.init)
    Registration(autowired: TrashCollector.self, scope: .singleton, initializer: TrashCollector.init).runs()
    Registration(autowired: RecentSearches.self, scope: .scoped("user"), initializer: RecentSearches.init)

    RegistrationGroup(scope: .scoped("request")) {
      Registration(autowired: WriteTransaction.self, initializer: WriteTransaction.init)
        .onDispose { transaction, outcome in try await transaction.end(outcome) }
      Registration(autowired: UnitOfWork.self, initializer: UnitOfWork.init(pool:transaction:))
      Registration(autowired: UserStore.self, initializer: UserStore.init)
      Registration(autowired: NoteStore.self, initializer: NoteStore.init)
      Registration(autowired: UserController.self, initializer: UserController.init)
      Registration(autowired: NoteController.self, initializer: NoteController.init)
      Registration(autowired: SearchController.self, initializer: SearchController.init)
    }
  }
}
