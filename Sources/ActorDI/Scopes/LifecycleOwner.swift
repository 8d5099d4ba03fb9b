/// The owner of a ``Lifecycle``: a container. It is retained while any of its disposals runs.
protocol LifecycleOwner: AnyObject, Sendable {
  /// The name, for messages.
  var name: String { get }

  /// Calls a function that waits for disposals. None of their disposers waits for an end that waits for the calling task meanwhile.
  static func awaiting(_ batch: DisposalBatch, _ wait: () async -> Void) async
}
