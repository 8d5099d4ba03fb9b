/// The services that one build has requested from the container, found or not. For a factory closure, nothing else
/// about its dependencies is known.
///
/// The notes include the requests of the service's own factory and hooks, and of the transient and `.graph` services
/// made for it. A requested kept service is included without its own requests, which it notes separately.
///
/// One case is incomplete. If an asynchronous factory uses a captured container rather than its resolver, a request is noted
/// only if the requested service is made for it. An existing instance has no connection to the build.
@usableFromInline
final class RequestNotes: Sendable {
  private struct State: Sendable {
    /// The requested identities, each once, in order.
    var noted: [ServiceIdentity] = []
    /// For many identities: the indices of identities that share a mark.
    var places: [Mark: [Int]] = [:]
    /// Whether a dependency was taken that was made for another build and whose own dependencies are unknown.
    var isIncomplete = false

    func alike(_ mark: Mark) -> [ServiceIdentity] {
      if noted.count < RequestNotes.fewEnoughToScan { return noted.filter { Mark($0) == mark } }
      return (places[mark] ?? []).map { noted[$0] }
    }

    mutating func append(_ identity: ServiceIdentity) {
      noted.append(identity)
      guard noted.count >= RequestNotes.fewEnoughToScan else { return }
      let new = places.isEmpty ? noted.indices : noted.indices.suffix(1)
      for place in new { places[Mark(noted[place]), default: []].append(place) }
    }
  }

  /// The part of an identity that can be compared under a lock: the hash of the key instead of the key.
  private struct Mark: Hashable {
    let signature: UInt
    let word: UInt

    init(_ identity: ServiceIdentity) {
      signature = identity.signature
      word = identity.word
    }
  }

  private let state = Lock(State())

  /// - Parameter identities: The requests; nil if they are unknown.
  init(_ identities: [ServiceIdentity]? = []) { note(allOf: identities) }

  private static var fewEnoughToScan: Int { 16 }

  /// All requested identities; nil if a dependency was taken whose own dependencies are unknown.
  var all: [ServiceIdentity]? { state.withLock { $0.isIncomplete ? nil : $0.noted } }

  /// Whether a request has a key, whose release may run user code.
  var haveKeys: Bool { state.withLock { $0.noted.contains { $0.key != nil } } }

  func note(_ identity: ServiceIdentity) {
    let mark = Mark(identity)
    guard identity.key != nil else {
      return state.withLock { state in
        if !state.alike(mark).contains(where: { $0.key == nil }) { state.append(identity) }
      }
    }
    // Comparing keys runs user code, so it happens outside the lock. Two threads may note the same identity twice.
    let alike = state.withLock { $0.alike(mark) }
    guard !alike.contains(where: { $0.key == identity.key }) else { return }
    state.withLock { $0.append(identity) }
  }

  /// Notes the dependencies of an instance that is shared for the duration of a call.
  ///
  /// - Parameter others: The dependencies; nil if they are unknown.
  func note(allOf others: [ServiceIdentity]?) {
    guard let others else { return state.withLock { $0.isIncomplete = true } }
    for other in others { note(other) }
  }
}

/// The requests of a thread's uncontended builds, the innermost build last.
@usableFromInline
final class NoteList {
  var noted: [ServiceIdentity] = []

  /// Removes and returns the notes from an index on.
  @inline(never)
  func take(from index: Int) -> RequestNotes {
    let notes = RequestNotes(Array(noted[index...]))
    noted.removeSubrange(index...)
    return notes
  }
}
