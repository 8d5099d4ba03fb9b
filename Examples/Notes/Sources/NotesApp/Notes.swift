import Foundation
import GRDB
import Hummingbird

struct Note: Codable, Equatable, Sendable, FetchableRecord, MutablePersistableRecord, ResponseCodable {
  var id: Int64?
  var ownerID: Int64
  var title: String
  var text: String
  var changed: Date
  /// The time when the note was deleted. The trash collector removes it later.
  var trashed: Date?

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The body of a request that adds or changes a note.
struct NoteDraft: Codable, Sendable {
  var title: String
  var text: String

  func check() throws {
    guard !title.isEmpty else { throw HTTPError(.badRequest, message: "The title is empty.") }
    guard text.count <= 10_000 else { throw HTTPError(.badRequest, message: "The text is too long.") }
  }
}

struct NoteStore: Sendable {
  let work: UnitOfWork

  /// The latest notes of an owner, or those that contain all words of a search, the best matches first.
  func notes(of owner: Int64, containing words: String? = nil) async throws -> [Note] {
    try await work.read { db in
      guard let words else {
        return try Self.kept(of: owner).order(Column("changed").desc, Column("id").desc).limit(100).fetchAll(db)
      }
      guard let pattern = FTS5Pattern(matchingAllPrefixesIn: words) else { return [] }
      return try Note.fetchAll(
        db,
        sql: """
          SELECT note.* FROM note JOIN noteSearch ON noteSearch.rowid = note.id AND noteSearch MATCH ?
          WHERE ownerID = ? AND trashed IS NULL ORDER BY rank LIMIT 100
          """,
        arguments: [pattern, owner])
    }
  }

  /// The next notes of an owner, in order of their numbers; none at the end.
  func page(of owner: Int64, after id: Int64) async throws -> [Note] {
    try await work.read { db in
      try Self.kept(of: owner).filter(Column("id") > id).order(Column("id")).limit(100).fetchAll(db)
    }
  }

  func note(_ id: Int64, of owner: Int64) async throws -> Note? {
    try await work.read { db in try Self.kept(of: owner).filter(key: id).fetchOne(db) }
  }

  func add(_ note: Note) async throws -> Note {
    try await work.write { db in try note.inserted(db) }
  }

  /// Changes a note. Returns nil if the owner has no such note.
  func change(_ id: Int64, of owner: Int64, _ change: @escaping @Sendable (inout Note) -> Void) async throws -> Note? {
    try await work.write { db in
      guard var note = try Self.kept(of: owner).filter(key: id).fetchOne(db) else { return nil }
      change(&note)
      try note.update(db)
      return note
    }
  }

  /// Removes the notes that were deleted before a time, and returns their number.
  func removeTrash(before time: Date) async throws -> Int {
    try await work.write { db in try Note.filter(Column("trashed") < time).deleteAll(db) }
  }

  private static func kept(of owner: Int64) -> QueryInterfaceRequest<Note> {
    Note.filter(Column("ownerID") == owner && Column("trashed") == nil)
  }
}

/// Handles the requests of one user about notes.
struct NoteController: Sendable {
  let request: Request
  let authentication: Authentication
  let notes: NoteStore
  let time: TimeSource

  /// All notes of the user, a line of JSON each. They are read while the body is written.
  func export() async throws -> ResponseBody {
    let user = try await authentication.user(of: request)
    return ResponseBody { writer in
      var last: Int64 = 0
      while let id = try await write(notes.page(of: user, after: last), to: &writer) { last = id }
      try await writer.finish(nil)
    }
  }

  /// Writes a page of notes, and returns the number of its last one.
  private func write(_ page: [Note], to writer: inout any ResponseBodyWriter) async throws -> Int64? {
    for note in page {
      try await writer.write(ByteBuffer(bytes: JSONEncoder().encode(note) + Data("\n".utf8)))
    }
    return page.last?.id
  }

  func add(_ draft: NoteDraft) async throws -> Note {
    let user = try await authentication.user(of: request)
    try draft.check()
    return try await notes.add(Note(ownerID: user, title: draft.title, text: draft.text, changed: time.now()))
  }

  func find(_ id: Int64) async throws -> Note {
    try await notes.note(id, of: authentication.user(of: request)).orNotFound()
  }

  func change(_ id: Int64, to draft: NoteDraft) async throws -> Note {
    let user = try await authentication.user(of: request)
    try draft.check()
    return try await notes.change(id, of: user) { [now = time.now()] note in
      note.title = draft.title
      note.text = draft.text
      note.changed = now
    }.orNotFound()
  }

  func delete(_ id: Int64) async throws {
    _ = try await notes.change(id, of: authentication.user(of: request)) { [now = time.now()] note in
      note.trashed = now
    }.orNotFound()
  }
}

extension Note? {
  fileprivate func orNotFound() throws -> Note {
    guard let self else { throw HTTPError(.notFound) }
    return self
  }
}
