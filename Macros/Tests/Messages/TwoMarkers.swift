// expected: error: parameter 'size' has both '@Key' and '@Argument': keep one of them
import ActorDIMacros

@Injectable final class Cache: Sendable {
  init(@Key("size") @Argument size: Int) {}
}
