/// A call that waits for a build or for the end of a container, as the ``ClosingOrder`` knows it: by what does not end before it returns.
struct WaitingCall: Sendable {
  /// The address of the task.
  let task: UInt
  /// The disposals that the call is part of.
  let disposals: [DisposalRun]
  /// The ``ResolutionFrame`` of the factory that makes the call or has started its task; nil if there is none.
  let frame: LinkedElement?
}
