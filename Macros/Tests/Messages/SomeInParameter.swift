// A regression: errors in generated code.
// expected: error: parameter 'caches' has no certain type to resolve: write 'any BinaryInteger'
// expected: error: parameter 'later' has no certain type to resolve: write 'any BinaryInteger'
// expected: error: provider 'sizes' returns no certain type: write 'any BinaryInteger'
import ActorDIMacros

@Injectable final class Cache: Sendable {
  init(caches: [some BinaryInteger], later: Lazy<some BinaryInteger>?) {}
}

@Graph struct AppGraph {
  @Provides func sizes() -> [some BinaryInteger] { [7] }
}
