/// A reference that a storage has dropped, for its caller to release once it holds no lock.
enum DroppedReference: Sendable {
  /// Readers may be using the instance by address, so the reference goes through the ``Reclaimer``.
  case published(address: UInt)
  /// Only its owners can reach the object, so releasing it is enough: an instance, the notes of a build, which contain user-defined keys, or
  /// a container that has lost an instance.
  case owned(any Sendable)
  /// A disposal to run.
  case ended(Disposal)
}

extension [DroppedReference] {
  /// Releases the references, and runs their disposals without waiting for them. Runs user code, so no lock may be held.
  consuming func release() { if !isEmpty { reclaim().disposeInBackground() } }

  /// Releases the references, and waits until their disposals have run. Runs user code, so no lock may be held.
  consuming func dispose(after outcome: ScopeOutcome = .completed) async { await reclaim().dispose(after: outcome) }

  /// Releases the references.
  ///
  /// - Returns: The disposals to run.
  consuming func reclaim() -> [Disposal] {
    if isEmpty { return [] }
    var hasPublished = false
    var disposals: [Disposal] = []
    for dropped in self {
      switch dropped {
      case .published(let address):
        Reclaimer.shared.retire(takingReferenceAt: address)
        hasPublished = true
      case .ended(let disposal):
        disposal.retainInstance()
        disposal.discard()
        disposals.append(disposal)
      case .owned: break
      }
    }
    if hasPublished { Reclaimer.shared.collectAfterChange() }
    return disposals
  }
}
