import ActorDI
import ActorDITesting
import Foundation
import Hummingbird
import Testing

@testable import NotesApp

struct NoteTests {
  /// One application for the tests that replace one of its services.
  static let app = TestServer.container()

  @Test(
    .container(overriding: app) {
      Registration(instance: TimeSource(now: { Date(timeIntervalSince1970: 1_800_000_000) }))
    })
  func notesHaveTheTimeOfTheirChange() async throws {
    try await TestServer.run(Self.app) { server in
      let ada = try await server.addUser("Ada")
      let note = try await server.addNote("Tea", as: ada)
      #expect(note.changed == Date(timeIntervalSince1970: 1_800_000_000))
    }
  }

  @Test func notesAreAddedFoundChangedAndDeleted() async throws {
    try await TestServer.run { server in
      let ada = try await server.addUser("Ada")
      let note = try await server.addNote("Tea", "Buy green tea", as: ada)
      let path = "/notes/\(try #require(note.id))"
      #expect(try await server.send(.get, path, as: ada).decoded() == note)

      let changed = try await server.send(.put, path, #"{"title": "Coffee", "text": "Buy beans"}"#, as: ada)
      #expect(try changed.decoded(as: Note.self).title == "Coffee")
      #expect(try await server.titles(as: ada) == ["Coffee"])

      #expect(try await server.send(.delete, path, as: ada).status == .noContent)
      #expect(try await server.titles(as: ada) == [])
      #expect(try await server.send(.get, path, as: ada).status == .notFound)
    }
  }

  @Test func searchFindsAllWordsByTheirBeginnings() async throws {
    try await TestServer.run { server in
      let ada = try await server.addUser("Ada")
      _ = try await server.addNote("Tea", "Buy green tea", as: ada)
      _ = try await server.addNote("Paint", "The green of the door", as: ada)
      #expect(try await server.titles("/notes?q=gree", as: ada).sorted() == ["Paint", "Tea"])
      #expect(try await server.titles("/notes?q=door%20green", as: ada) == ["Paint"])
      #expect(try await server.titles("/notes?q=blue", as: ada) == [])
      // Operators of the search language are words.
      #expect(try await server.titles("/notes?q=%22%20OR%20*", as: ada) == [])
    }
  }

  @Test func allNotesAreExported() async throws {
    try await TestServer.run { server in
      let ada = try await server.addUser("Ada")
      for number in 0..<250 { _ = try await server.addNote("\(number)", as: ada) }
      let export = try await server.send(.get, "/notes/export", as: ada)
      let lines = String(buffer: export.body).split(separator: "\n")
      #expect(lines.count == 250 && lines[249].contains(#""title":"249""#))
      #expect(try await server.send(.get, "/notes/export").status == .unauthorized)
    }
  }

  @Test func usersSeeTheirOwnNotesOnly() async throws {
    try await TestServer.run { server in
      let (ada, bob) = (try await server.addUser("Ada"), try await server.addUser("Bob"))
      let note = try await server.addNote("Secret", "green", as: ada)
      let path = "/notes/\(try #require(note.id))"
      #expect(try await server.titles(as: bob) == [])
      #expect(try await server.titles("/notes?q=green", as: bob) == [])
      #expect(try await server.send(.get, path, as: bob).status == .notFound)
      #expect(try await server.send(.delete, path, as: bob).status == .notFound)
      #expect(try await server.titles(as: ada) == ["Secret"])
    }
  }

  @Test(arguments: [
    ("/users", "{}"), ("/users", #"{"name": ""}"#), ("/users", "no JSON"), ("/notes", #"{"title": "Tea"}"#),
    ("/notes", #"{"title": "", "text": "Buy tea"}"#),
  ])
  func invalidBodiesAreRefused(path: String, body: String) async throws {
    try await TestServer.run { server in
      let ada = try await server.addUser("Ada")
      #expect(try await server.send(.post, path, body, as: ada).status == .badRequest)
      #expect(try await server.titles(as: ada) == [])
    }
  }

  @Test(arguments: [("/notes/17", 404), ("/notes/tea", 400), ("/nothing", 404)])
  func unknownPathsAreRefused(path: String, status: Int) async throws {
    try await TestServer.run { server in
      let ada = try await server.addUser("Ada")
      #expect(try await server.send(.get, path, as: ada).status.code == status)
      let draft = #"{"title": "Tea", "text": ""}"#
      #expect(try await server.send(.put, path, draft, as: ada).status.code == status)
    }
  }

  @Test func requestsNeedTheTokenOfAUser() async throws {
    try await TestServer.run { server in
      var ada = try await server.addUser("Ada")
      #expect(try await server.send(.get, "/notes").status == .unauthorized)
      ada.token += "x"
      #expect(try await server.send(.get, "/notes", as: ada).status == .unauthorized)
    }
  }

  @Test func namesOfUsersAreUnique() async throws {
    try await TestServer.run { server in
      _ = try await server.addUser("Ada")
      #expect(try await server.send(.post, "/users", #"{"name": "Ada"}"#).status == .conflict)
      // The refused request has given the writer back.
      _ = try await server.addUser("Bob")
    }
  }
}
