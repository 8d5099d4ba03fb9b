/// A closing of one or more containers, where a step suspends.
protocol RunningClosing: AnyObject, Sendable {
  /// The builds and disposals that have not finished.
  var outstanding: [ShutdownError.Failure] { get }

  /// Cancels the disposals that have not finished, its own and those that it waits for. Runs user-defined cancellation handlers.
  func cancelDisposals()
}
