// expected: error: '@Injectable' needs to see the initialisers and properties of 'Cache': move it from the extension to the type's declaration
import ActorDIMacros

final class Cache: Sendable {}

@Injectable extension Cache {}

let container = Container { Cache.registration }
