// expected: error: 'eager' must be 'true' or 'false', because the registration is written at compile time
import ActorDIMacros

let isEager = true

@Injectable(scope: .singleton, eager: isEager) final class Cache: Sendable {}
