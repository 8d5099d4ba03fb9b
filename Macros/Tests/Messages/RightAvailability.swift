// expected: nothing
import ActorDIMacros

struct Store: Sendable {}

@Injectable struct Users: Sendable {
  @available(*, deprecated, message: "Use the store.")
  init(store: Store) {}
}
