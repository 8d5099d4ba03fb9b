// expected: nothing
import ActorDIMacros

private struct Settings: Sendable {}
private struct Cache: Sendable {}
struct Store: Sendable {}

@Graph struct AppGraph {
  private let settings: Settings
  @Provides private func cache(settings: Settings) -> Cache { Cache() }
  @Provides(scope: .singleton) fileprivate func shared() -> [Cache] { [] }
  @Provides(scope: .scoped) private func scoped() -> Cache? { nil }
  @Provides private func store(settings: Settings, cache: Cache) -> Store { Store() }
  fileprivate init(settings: Settings) { self.settings = settings }
}

func make() -> Store {
  let graph = AppGraph(settings: Settings())
  _ = Container { graph.registrations }
  return graph.wired().store()
}
