// expected: error: property 'size' is computed, so '@Key' has no effect: remove the marker
import ActorDIMacros

@Injectable final class Cache: Sendable {
  @Key("size") var size: Int { 3 }
}
