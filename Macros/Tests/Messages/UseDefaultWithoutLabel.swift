// A regression: the container's number became the limit, and the size had its default value.
// expected: error: parameter 'limit' cannot be left to its default value, because Swift would take that of 'size' for it: give them different labels
import ActorDIMacros

@Injectable struct Cache: Sendable {
  init(@UseDefault _ limit: Int = 100, _ size: Int = 0) {}
}

@Injectable struct Files: Sendable {
  init(_ size: Int, @UseDefault _ limit: Int = 100, @UseDefault _ count: Int = 1, name: String) {}
}
