// expected: error: type 'Cache' does not conform to the 'Sendable' protocol
// expected: note: class 'Cache' does not conform to the 'Sendable' protocol
import ActorDIMacros

@Injectable(scope: .singleton) final class Cache {
  var size = 0
}

let container = Container { Cache.registration }
