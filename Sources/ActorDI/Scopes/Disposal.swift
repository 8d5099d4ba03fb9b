/// That an instance has to be disposed of: once, by whoever takes this out of its container's list.
///
/// What there is to do, a subclass knows: see ``BindingDisposal``.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
class Disposal: LinkedElement, @unchecked Sendable {
  /// When the instance was created, among all in the process: what is created later is disposed of earlier. Set when it is listed.
  final var number: UInt64 = 0

  /// The object that ``Disposable/dispose()`` is called on, if it is one: nobody else is to do that.
  let object: ObjectIdentifier?

  /// Whether the object is still there, for one that is held weakly: another one may have its address since.
  var hasObject: Bool { true }

  /// It is due: what is held weakly is there to the end of it if it is there now, though the rest that is let go of holds it no more.
  func hold() {}

  /// Whether nothing of it suspends.
  let isSynchronous: Bool

  /// In whose list it stands. Unowned, since that holds this; whoever takes it out holds the container.
  unowned(unsafe) private let home: Lifecycle
  final var lifecycle: Lifecycle { unsafe home }

  init(in lifecycle: Lifecycle, object: ObjectIdentifier?, isSynchronous: Bool) {
    self.object = object
    self.isSynchronous = isSynchronous
    unsafe home = lifecycle
  }

  // MARK: Running it

  /// Disposes of the instance, for whoever has taken this out of the list.
  ///
  /// - Parameter outcome: how what it was kept for has ended.
  /// - Returns: what went wrong.
  func perform(after outcome: ScopeOutcome) async -> [ShutdownError.Failure] { fatalError("abstract") }

  /// The same where nothing suspends.
  func performSynchronously(after outcome: ScopeOutcome, _ failures: inout [ShutdownError.Failure]) {
    fatalError("abstract")
  }

  /// Runs it, and tells of it.
  func told(after outcome: ScopeOutcome) async -> [any Error] { fatalError("abstract") }

  /// The same where nothing suspends.
  func toldSynchronously(after outcome: ScopeOutcome) -> [any Error] { fatalError("abstract") }

  /// Disposes of an instance that came too late for any list: its container has been closed.
  final func performInBackground() {
    if isSynchronous {
      var failures: [ShutdownError.Failure] = []
      performSynchronously(after: .shutDown, &failures)
    } else {
      // With the container, which is not to go before.
      Task.detached { [owner = lifecycle.owner] in
        _ = await self.perform(after: .shutDown)
        withExtendedLifetime(owner) {}
      }
    }
  }

  func failure(_ reason: ShutdownError.Reason) -> ShutdownError.Failure { fatalError("abstract") }

  /// The instance was made from one whose build has failed: nobody is to have it again.
  func discard() {}

  /// Whether it is the end of this very instance.
  func isEnd(of instance: Instance) -> Bool { false }
}
