/// A reference that a storage gave up.
enum DroppedInstance: Sendable {
  /// Readers may be using it by its address: it has to go through the ``Reclaimer``.
  case published(address: UInt)
  /// Only owners can reach it: releasing is enough.
  case owned(Instance)
  /// It has to be disposed of.
  case ended(Disposal)
  /// It has been.
  case done(Disposal)
  /// What was noted of an instance: it names keys of the user's.
  case notes(RequestNotes)
}

extension [DroppedInstance] {
  /// Lets go. Runs code of the user's: not under a lock.
  ///
  /// What has to be disposed of is, without anybody waiting for it.
  consuming func release() { if !isEmpty { reclaim().disposeInBackground() } }

  /// The same, and waits until everything has been disposed of.
  consuming func dispose(after outcome: ScopeOutcome = .completed) async { await reclaim().dispose(after: outcome) }

  /// Lets go of the instances.
  ///
  /// - Returns: what has to be disposed of.
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
        disposal.hold()
        disposals.append(disposal)
      case .owned, .done, .notes: break
      }
    }
    if hasPublished { Reclaimer.shared.collectAfterChange() }
    return disposals
  }
}
