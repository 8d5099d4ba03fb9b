// expected: error: an eager service needs a scope that keeps what 'start()' builds, but '.transient' does not: write '.singleton'
import ActorDIMacros

@Injectable(scope: .transient, eager: true) final class Cache: Sendable {}
