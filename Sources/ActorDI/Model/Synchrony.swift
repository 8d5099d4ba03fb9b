/// Whether an instance can be obtained without suspending.
@usableFromInline
enum Synchrony: UInt8, Sendable {
  /// The factory is synchronous.
  case synchronous
  /// The factory is asynchronous.
  case asynchronous
  /// As synchronous as the dependencies: an autowired initialiser.
  case either
  /// Synchronous on the main thread; elsewhere the caller must suspend.
  case mainActor

  /// Whether a factory with this synchrony is a synchronous function, possibly of the main actor.
  var isOfSynchronousFunction: Bool { self == .synchronous || self == .mainActor }
}
