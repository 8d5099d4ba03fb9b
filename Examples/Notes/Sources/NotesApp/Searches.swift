/// The user of a scope that the user's requests share.
struct ActiveUser: Sendable {
  let id: Int64
}

/// The latest searches of a user, the last one first. They are forgotten when the user is no longer active.
actor RecentSearches {
  private(set) var all: [String] = []

  func add(_ words: String) {
    all = [words] + all.filter { $0 != words }.prefix(9)
  }
}

/// Handles the requests of an active user that list notes.
struct SearchController: Sendable {
  let user: ActiveUser
  let searches: RecentSearches
  let notes: NoteStore

  /// The latest notes of the user, or those that a search finds.
  func notes(containing words: String?) async throws -> [Note] {
    if let words { await searches.add(words) }
    return try await notes.notes(of: user.id, containing: words)
  }
}
