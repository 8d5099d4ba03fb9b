/// What runs after a factory, with the instance it made.
struct CreationHook<Service>: Sendable {
  typealias Run = @Sendable (Service, Resolver) throws -> Void
  typealias RunAsync = @concurrent @Sendable (Box<Service>, Resolver) async throws -> Void

  /// Nil for a hook that has to suspend.
  let run: Run?
  /// Nil for one that never does. A hook that has both suspends where a dependency makes it: an injected property.
  let runAsync: RunAsync?

  var synchrony: Synchrony {
    switch (run, runAsync) {
    case (_?, nil): .synchronous
    case (nil, _): .asynchronous
    case (_?, _?): .either
    }
  }
}
