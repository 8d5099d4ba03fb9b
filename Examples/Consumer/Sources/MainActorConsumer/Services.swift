import ActorDI

// This target isolates all declarations to the main actor by default.

nonisolated protocol Clock: Sendable {
  var year: Int { get }
}

nonisolated struct SystemClock: Clock {
  var year: Int { 2026 }
}

/// A service that is `Sendable` because it is isolated to the main actor.
final class Model {
  let clock: any Clock
  var title = "untitled"

  init(clock: any Clock) { self.clock = clock }
}

final class Screen {
  let model: Model
  init(model: Model) { self.model = model }
}

nonisolated final class Download: Sendable {
  let size: Int

  init(size: Int) async {
    await Task.yield()
    self.size = size
  }
}

struct ScreenModule: Module {
  nonisolated var registrations: Registrations {
    Registration(autowired: Screen.self, scope: .singleton, initializer: Screen.init)
  }
}

final class Sketch {
  var lines = 0
}

final class Screens {
  @Dependencies var container = Container()
}

final class View {
  @Injected var model: Model
  @Injected var screen: Screen
  @Injected var sketch: Sketch
  @Injected var missing: String?
  @Injected var all: [Model]
  @Injected var download: Download

  func reloaded() async throws -> Model {
    sketch.lines += 1
    try await $model.reload()
    try await $sketch.reload()
    return model
  }
}

nonisolated final class Worker: Sendable {
  let download = Injected<Download>()
  let model = Injected<Model>()

  func size() async throws -> Int { try await download().size }
}
