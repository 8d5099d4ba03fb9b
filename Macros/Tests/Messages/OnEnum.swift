// expected: error: 'Cache' is an enum, which has no initialiser for a container to call: write 'Registration(Cache.self) { _ in … }'
import ActorDIMacros

@Injectable enum Cache: Sendable { case full }

let container = Container { Cache.registration }
