// In asynchronous code, the call is the asynchronous one.
// expected: 7:3: error: expression is 'async' but is not marked with 'await'
// expected: 11:3: error: expression is 'async' but is not marked with 'await'
import ActorDI

func first(_ theme: Lazy<String>) async throws -> String {
  try theme()
}

func next(_ theme: Provider<String>) async throws -> String {
  try theme()
}
