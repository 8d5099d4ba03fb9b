import ActorDITesting
import Hummingbird
import Testing

@testable import NotesApp

@Suite(.timeLimit(.minutes(2)))
struct SearchTests {
  @Test func searchesAreRememberedForEachUser() async throws {
    try await TestServer.run { server in
      let (ada, bob) = (try await server.addUser("Ada"), try await server.addUser("Bob"))
      for words in ["green", "tea", "green"] { _ = try await server.titles("/notes?q=\(words)", as: ada) }
      // No search.
      _ = try await server.titles(as: ada)
      #expect(try await server.searches(as: ada) == ["green", "tea"])
      #expect(try await server.searches(as: bob) == [])

      for number in 0..<12 { _ = try await server.titles("/notes?q=\(number)", as: bob) }
      #expect(try await server.searches(as: bob) == (2..<12).reversed().map(String.init))
    }
  }

  @Test func searchesAreForgottenWhenTheUserIsNoLongerActive() async throws {
    let clock = ManualClock()
    let app = TestServer.container(clock: clock)
    try await TestServer.run(app) { server in
      let (ada, bob) = (try await server.addUser("Ada"), try await server.addUser("Bob"))
      _ = try await server.titles("/notes?q=green", as: ada)
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(600))
      #expect(try await server.searches(as: ada) == ["green"])
      // A quarter of an hour after her search, but not after her last request.
      clock.advance(by: .seconds(300))
      try await clock.waitForSleepers()
      _ = try await server.titles("/notes?q=blue", as: bob)

      // Her scope ends. The sleeper waits for the end of his.
      clock.advance(by: .seconds(600))
      try await clock.waitForSleepers()
      #expect(try await server.searches(as: ada) == [])
      #expect(try await server.searches(as: bob) == ["blue"])
    }
    try await app.shutdown()
  }

  @Test func aRefusedRequestOpensNoScope() async throws {
    try await TestServer.run { (server: TestServer) async throws in
      #expect(try await server.send(.get, "/notes/searches").status == .unauthorized)
      #expect(server.app.openScopes.isEmpty)
    }
  }
}
