// expected: GraphNotSendable.swift:9:
// expected: error: type 'Cache' does not conform to the 'Sendable' protocol
// expected: note: class 'Cache' does not conform to the 'Sendable' protocol
import ActorDIMacros

final class Cache { var count = 0 }

@Graph struct AppGraph {
  let cache: Cache
}
