/// The owner of a ``Lifecycle``: a container. It is retained while any of its disposals runs.
protocol LifecycleOwner: AnyObject, Sendable {
  /// The name, for messages.
  var name: String { get }

  /// Calls a function that waits for disposals. None of their disposers waits for an end that waits for the calling task meanwhile.
  static func awaiting(_ batch: DisposalBatch, _ wait: () async -> Void) async

  /// Waits for a disposal that another caller runs, unless it waits for the calling task or for the caller's own disposals.
  static func waitUnlessAwaited(for batch: DisposalBatch, by own: DisposalBatch, until end: Latch) async
}
