// The compiler does not look for `try` in a macro when it finds out whether a closure throws. With a `throws` in the closure it compiles.
// expected: error: errors thrown from here are not handled
import ActorDI
import Testing

let container = Container()

@Test func overridden() async throws {
  try await container.withOverrides {
    Registration(Int.self) { _ in 1 }
  } operation: {
    #expect(try await container.resolve(Int.self) == 1)
  }
}
