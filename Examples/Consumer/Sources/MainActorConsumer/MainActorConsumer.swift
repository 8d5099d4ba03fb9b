import ActorDI
import Checks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Uses the library in a target isolated to the main actor by default, like that of an app.
@main
struct MainActorConsumer {
  static func main() async throws {
    let checks = Checks()
    try await resolve(checks)
    try await inject(checks)
    let (text, isSuccess) = checks.report()
    print(text)
    exit(isSuccess ? EXIT_SUCCESS : EXIT_FAILURE)
  }

  private static func resolve(_ checks: Checks) async throws {
    let container = Container {
      Registration(autowired: (any Clock).self, scope: .singleton) { SystemClock() }
      Registration(Model.self, scope: .singleton) { @MainActor r in
        Model(clock: try r.resolve())
      }
      Registration(autowired: Download.self, scope: .singleton) { await Download(size: 3) }
      Registration(Int.self) { (_, text: String) in Int(text) ?? 0 }
      ScreenModule()
    }
    // On the main thread, synchronous code resolves main-actor services.
    let model = try modelNow(container)
    model.title = "titled"
    let screen = try await container.resolve(Screen.self)
    checks.expect(screen.model === model, "one model")
    checks.expect(screen.model.title == "titled", "of the main actor")
    checks.expect(try await container.resolve(Download.self).size == 3, "an async factory")
    checks.expect(
      try await container.resolve(Int.self, arguments: "42") == 42, "a run-time argument")

    let windows = container.keyedScopes("window", idleFor: .seconds(60)) { (number: Int) in
      Registration(instance: number)
    }
    let number = try await windows.withScope(7) { window in try window.resolve(Int.self) }
    checks.expect(number == 7 && windows.open.map(\.key) == [7], "a scope by key")

    // Elsewhere, a main-actor service is resolved with `await`.
    let fresh = Container {
      Registration(autowired: Screen.self, scope: .singleton) { @MainActor in
        Screen(model: Model(clock: SystemClock()))
      }
    }
    let elsewhere = Task.detached { try await fresh.resolve(Screen.self) }
    let made = try await elsewhere.value
    checks.expect(try screenNow(fresh) === made, "made for another thread, kept for all")
    try await fresh.register(Model.self) { @MainActor _ in Model(clock: SystemClock()) }
    checks.expect(try await fresh.resolve(Model.self).clock.year == 2026, "registered later")
  }

  /// Injected properties of main-actor types and of others.
  private static func inject(_ checks: Checks) async throws {
    let screens = Screens()
    screens.container = Container {
      Registration(autowired: (any Clock).self, scope: .singleton) { SystemClock() }
      Registration(Model.self, scope: .singleton) { @MainActor r in Model(clock: try r.resolve()) }
      Registration(autowired: Sketch.self) { @MainActor in Sketch() }
      Registration(autowired: Download.self, scope: .singleton) { await Download(size: 5) }
      ScreenModule()
    }
    let view = View()
    checks.expect(view.screen.model === view.model, "one model for both")
    checks.expect(view.missing == nil && view.all.count == 1, "nil and all")
    try await view.$download.loadIfNeeded()
    checks.expect(view.download.size == 5, "loaded before its use")
    checks.expect(try await view.reloaded() === view.model, "the same again")
    let worker = Worker()
    checks.expect(try await worker.size() == 5, "elsewhere")
    let elsewhere = try await Task.detached { try await worker.model() }.value
    checks.expect(elsewhere === view.model, "the main actor's, from elsewhere")
  }

  private static func modelNow(_ container: Container) throws -> Model {
    try container.resolve(Model.self)
  }

  private static func screenNow(_ container: Container) throws -> Screen {
    try container.resolve(Screen.self)
  }
}
