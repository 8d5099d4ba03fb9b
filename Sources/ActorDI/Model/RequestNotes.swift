/// What an attempt has asked the container for, found or not: what is known of a factory closure when it has run.
///
/// Noted is what the factory and the hooks of the service itself ask for, and those of the transient and `.graph` services that were
/// made for it. Another kept service is noted, what that one takes is not: it has notes of its own.
///
/// What an asynchronous factory takes through a captured container rather than its resolver is noted only where it has to be made:
/// nothing leads from there to the attempt.
@usableFromInline
final class RequestNotes: Sendable {
  private struct State: Sendable {
    /// Each once, in order.
    var noted: [ServiceIdentity] = []
    /// Where there are many: the places of those that may be the same.
    var places: [Mark: [Int]] = [:]
    /// Something was taken that was made for another attempt, and that nothing is known of.
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

  /// What can be compared under a lock: not the key, but its hash.
  private struct Mark: Hashable {
    let signature: UInt
    let word: UInt

    init(_ identity: ServiceIdentity) {
      signature = identity.signature
      word = identity.word
    }
  }

  private let state = Lock(State())

  init() {}

  init(_ identities: [ServiceIdentity]) {
    for identity in identities { note(identity) }
  }

  private static var fewEnoughToScan: Int { 16 }

  /// Nil when something was taken of which it is not known what it was made from.
  var all: [ServiceIdentity]? { state.withLock { $0.isIncomplete ? nil : $0.noted } }

  func note(_ identity: ServiceIdentity) {
    let mark = Mark(identity)
    guard identity.key != nil else {
      return state.withLock { state in
        if !state.alike(mark).contains(where: { $0.key == nil }) { state.append(identity) }
      }
    }
    // Keys are compared by code of the user's: not under the lock. Two threads may note the same one twice.
    let alike = state.withLock { $0.alike(mark) }
    guard !alike.contains(where: { $0.key == identity.key }) else { return }
    state.withLock { $0.append(identity) }
  }

  /// Notes what something was made from that is shared with others for the time of a call. Nil: that is not known.
  func note(allOf others: [ServiceIdentity]?) {
    guard let others else { return state.withLock { $0.isIncomplete = true } }
    for other in others { note(other) }
  }
}

extension LazyReference<RequestNotes> {
  /// The list, made now if it was not before.
  var made: RequestNotes { load() ?? storeIfNil(RequestNotes()) }
}

/// What the uncontended builds of a thread have asked for, those of the innermost one last.
@usableFromInline
final class NoteList {
  var noted: [ServiceIdentity] = []
}
