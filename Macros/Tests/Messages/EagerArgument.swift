// expected: error: 'Cache' is eager, but 'start()' has no run-time argument for 'size': remove '@Argument' or 'eager: true'
import ActorDIMacros

@Injectable(scope: .singleton, eager: true) final class Cache: Sendable {
  init(@Argument size: Int) {}
}
