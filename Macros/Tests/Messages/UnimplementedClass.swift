// expected: error: '@Unimplemented' applies to a protocol: a double of another type has no requirements to meet
import ActorDIMacros

@Unimplemented final class Store {}
