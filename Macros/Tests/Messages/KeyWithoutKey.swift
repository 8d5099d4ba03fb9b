// A regression: "<unknown>:0: error: missing argument for parameter #2 in call", without a line.
// expected: error: 'init(wrappedValue:)' is unavailable: write the key, such as '@Key("replica")', or a token, such as '@Key(.replica)'
import ActorDIMacros

struct Store: Sendable {}

@Injectable struct Cache: Sendable {
  // The wrapper of a parameter.
  init(@Key store: Store) {}
}
