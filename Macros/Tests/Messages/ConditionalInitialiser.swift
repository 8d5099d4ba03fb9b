// expected: error: the initialiser of 'Cache' exists only 'where Content == Int', but the macro registers each 'Cache': remove the condition, or write the registration by hand
import ActorDIMacros

@Injectable final class Cache<Content: Sendable>: Sendable {
  init(content: Content) where Content == Int {}
}

let container = Container { Cache<Int>.registration }
