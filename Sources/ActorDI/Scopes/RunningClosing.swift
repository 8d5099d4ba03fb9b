/// A closing of one or more containers, where a step suspends.
protocol RunningClosing: AnyObject, Sendable {
  /// The builds and disposals that have not finished.
  var outstanding: [ShutdownError.Failure] { get }
}
