// expected: error: '@Inject' has no effect, because 'Cache' is not '@Injectable': add '@Injectable' to it
import ActorDIMacros

final class Cache: Sendable {
  @Inject init() {}
}
