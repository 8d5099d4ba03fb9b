// expected: error: 'make' is static, so there is no double to record its call: write the double by hand, or make it an instance member
import ActorDIMacros

@Unimplemented protocol Store { static func make() }
