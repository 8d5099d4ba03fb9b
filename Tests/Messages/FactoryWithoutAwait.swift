// The initialiser is asynchronous.
// expected: error: 'async' call in a function that does not support concurrency
import ActorDI

final class Store: Sendable { init(url: String) async throws {} }
let container = Container {
  Registration(Store.self, scope: .singleton) { r in try Store(url: "") }
}
