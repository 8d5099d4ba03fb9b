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
  private struct State: ~Copyable {
    /// The requested identities, in order. Each is there once, unless two threads have noted one with a key at the same time.
    var noted: [ServiceIdentity] = []
    /// The requested identities by their marks; empty while they are few.
    var marked: [UInt: [ServiceIdentity]] = [:]
    /// Whether a dependency was taken that was made for another build and whose own dependencies are unknown.
    var isIncomplete = false

    /// The noted identities to compare with another one.
    func alike(_ identity: ServiceIdentity) -> [ServiceIdentity] {
      noted.count < RequestNotes.fewEnoughToScan ? noted : marked[identity.mark] ?? []
    }

    mutating func append(_ identity: ServiceIdentity) {
      noted.append(identity)
      guard noted.count >= RequestNotes.fewEnoughToScan else { return }
      for new in marked.isEmpty ? noted[...] : noted.suffix(1) { marked[new.mark, default: []].append(new) }
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
    guard identity.key != nil else {
      // The word of an identity without a key differs from that of any key, so no keys are compared.
      return state.withLock { state in
        if !state.alike(identity).contains(where: { $0.isSame(as: identity) }) { state.append(identity) }
      }
    }
    // Comparing keys runs user code, so it happens outside the lock. Two threads may note the same identity twice.
    let alike = state.withLock { $0.alike(identity) }
    guard !alike.contains(where: { $0.isSame(as: identity) }) else { return }
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

extension ServiceIdentity {
  /// A hash for a dictionary that compares no keys.
  fileprivate var mark: UInt { signature ^ word }
}

/// The requests of a thread's uncontended builds, the innermost build last.
@usableFromInline
final class NoteList {
  var noted: [ServiceIdentity] = []

  /// Removes and returns the notes from an index on.
  // Not inlined: its frame would become part of that of each build, and builds are nested.
  @inline(never)
  func take(from index: Int) -> RequestNotes {
    let notes = RequestNotes(Array(noted[index...]))
    noted.removeSubrange(index...)
    return notes
  }
}
