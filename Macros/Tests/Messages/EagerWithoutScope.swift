// expected: error: an eager service needs a scope that keeps what 'start()' builds: add 'scope: .singleton'
import ActorDIMacros

@Injectable(eager: true) final class Cache: Sendable {}

let container = Container { Cache.registration }
