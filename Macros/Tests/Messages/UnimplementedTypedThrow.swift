// expected: error: 'open()' throws only 'Failure': say which, '@Unimplemented(throwing: Failure…)'
import ActorDIMacros

struct Failure: Error {}

@Unimplemented protocol Store { func open() throws(Failure) }
