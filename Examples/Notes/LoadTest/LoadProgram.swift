import ActorDI
import ActorDIHummingbird
import ActorDIServiceLifecycle
import Configuration
import GRDB
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization

@testable import NotesApp

/// The application for `Tools/load-test`, with one more route. Its argument says how it is wired: `container` or `by-hand`; `counted` for the
/// container with an observer that counts, and prints its counts at the end; or `slowed` for the container with planted slowness.
@main
struct LoadProgram {
  static func main() async throws {
    let config = ConfigReader(providers: [EnvironmentVariablesProvider(), Settings.defaults])
    var logger = Logger(label: "load")
    logger.logLevel = .notice
    let mode = CommandLine.arguments.dropFirst().first
    let tally = Tally()
    if mode == "by-hand" {
      let wiring = try ByHand(Settings(config))
      try await serve(wiring.router(), first: wiring, config, logger)
    } else {
      let app = makeContainer(config, logger: logger, observers: mode == "counted" ? [tally] : [])
      try await app.register {
        Registration(autowired: Greeting.self, scope: .scoped("request"), initializer: Greeting.init)
      }
      let router = makeRouter(app)
      router.group().add(middleware: ContainerMiddleware(app)).get("greeting") { _, context in
        if mode == "slowed" { waste(.microseconds(30)) }
        return try await context.container.resolve(Greeting.self).text
      }
      try await serve(router, first: ContainerService(app, logger: logger), config, logger)
    }
    if mode == "counted" { print(tally.text) }
  }

  /// Keeps the processor busy.
  private static func waste(_ time: Duration) {
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {}
  }

  private static func serve(
    _ router: Router<AppContext>, first: any Service, _ config: ConfigReader, _ logger: Logger
  ) async throws {
    let settings = try Settings(config)
    let server = Application(
      router: router, configuration: .init(address: .hostname(settings.host, port: settings.port)),
      onServerRunning: { channel in logger.notice("port \(channel.localAddress?.port ?? 0)") }, logger: logger)
    try await ServiceGroup(services: [first, server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
  }
}

/// What a trivial route resolves: a service that takes the request.
struct Greeting: Sendable {
  let request: Request
  var text: String { "Hello from \(request.uri.path)" }
}

/// The same application without a container: the singletons are properties, and the routes make what each request needs.
struct ByHand: Service {
  let pool: DatabasePool
  let turns = WriterTurns()
  let time = TimeSource()

  init(_ settings: Settings) throws { pool = try openDatabase(settings) }

  func run() async throws {
    try await gracefulShutdown()
    try pool.close()
  }

  private func withWork<Value>(_ body: (UnitOfWork) async throws -> Value) async throws -> Value {
    let work = UnitOfWork(pool: pool) { try await WriteTransaction(pool: pool, turns: turns) }
    let value: Value
    do {
      value = try await body(work)
    } catch {
      try? await work.transaction?.end(.failed(error))
      throw error
    }
    try await work.transaction?.end(.completed)
    return value
  }

  private func withNotes<Value>(
    _ request: Request, _ body: (NoteController) async throws -> Value
  ) async throws -> Value {
    try await withWork { work in
      let controller = NoteController(
        request: request, authentication: Authentication(pool: pool), notes: NoteStore(work: work), time: time)
      return try await body(controller)
    }
  }

  /// The routes that the load test requests.
  func router() -> Router<AppContext> {
    let router = Router(context: AppContext.self)
    router.add(middleware: LogRequestsMiddleware(.info))
    router.add(middleware: MetricsMiddleware())
    router.get("greeting") { request, _ in Greeting(request: request).text }
    router.post("users") { request, context in
      let new = try await request.decode(as: NewUser.self, context: context)
      let user = try await withWork { work in try await UserController(users: UserStore(work: work)).add(new) }
      return EditedResponse(status: .created, response: user)
    }
    router.post("notes") { request, context in
      let draft = try await request.decode(as: NoteDraft.self, context: context)
      let note = try await withNotes(request) { controller in try await controller.add(draft) }
      return EditedResponse(status: .created, response: note)
    }
    router.get("notes/:id") { request, context in
      let id = try context.parameters.require("id", as: Int64.self)
      return try await withNotes(request) { controller in try await controller.find(id) }
    }
    return router
  }
}

/// Counts the transactions and the scopes of requests, and checks that the database is closed once and last.
final class Tally: ContainerObserver {
  private struct Counts {
    var begun = 0, ended = 0, failed = 0, opened = 0, completed = 0, otherwise = 0, databases = 0, afterDatabase = 0
  }

  private let counts = Mutex(Counts())

  func container(_ container: Container, didEmit event: ContainerEvent) {
    counts.withLock { counts in
      switch event.kind {
      case .created where event.service == WriteTransaction.self: counts.begun += 1
      case .disposed(_, let error) where event.service == WriteTransaction.self:
        counts.ended += 1
        if error != nil { counts.failed += 1 }
        if counts.databases > 0 { counts.afterDatabase += 1 }
      case .disposed(_, let error) where event.service == DatabasePool.self:
        counts.databases += 1
        if error != nil { counts.failed += 1 }
      case .opened where container.name == "request": counts.opened += 1
      case .closed(_, .completed) where container.name == "request": counts.completed += 1
      case .closed where container.name == "request": counts.otherwise += 1
      default: break
      }
    }
  }

  /// The counts, each as a name and a number.
  var text: String {
    let counts = counts.withLock { $0 }
    return """
      counted begun=\(counts.begun) ended=\(counts.ended) failed=\(counts.failed) opened=\(counts.opened) \
      completed=\(counts.completed) otherwise=\(counts.otherwise) databases=\(counts.databases) after=\(counts.afterDatabase)
      """
  }
}
