// expected: error: '(width, height)' is several properties in one: declare each on a line of its own
import ActorDIMacros

@Injectable final class Cache: Sendable {
  let (width, height): (Int, Int)
  let size: Int
}
