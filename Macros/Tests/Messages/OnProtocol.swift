// expected: error: 'Store' is a protocol: put '@Injectable(as: (any Store).self)' on the type that conforms to it
import ActorDIMacros

@Injectable protocol Store: Sendable {}
