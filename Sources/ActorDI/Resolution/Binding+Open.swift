// Builds of instances that no container keeps: transient and `.graph` instances. For kept instances, the once cell reports the build to
// the keeper.
extension Binding {
  /// Runs a build. A closing container waits for it (L1).
  ///
  /// A mark in the thread's hazard slots lists the build for ``Container/servicesInFlight``.
  ///
  /// - Throws: The errors of the build; ``ResolutionError/Code/closed`` if the container was closed before or during the build. The
  ///   instance must not be handed out in that case.
  func whileOpen<Result>(
    _ container: Container, _ chain: @autoclosure () -> Chain, _ build: () throws -> Result
  ) throws -> Result {
    if policy.isKept { return try build() }
    let lifecycle = container.lifecycle
    guard lifecycle.activity.begin() else { throw ResolutionError.closed(identity, chain(), in: container) }
    defer { lifecycle.endActivity() }
    let result = try ThreadRecordPointer.current.holdingCall(by: lifecycle.mark) { _ in try build() }
    if lifecycle.isClosed { throw ResolutionError.closed(identity, chain(), in: container) }
    return result
  }

  /// Begins a build that may suspend. A closing container waits for it (L1).
  ///
  /// Not a function around the build: an asynchronous one would cost a resolve a tenth of its time.
  ///
  /// - Returns: Whether ``endBuild(for:in:)`` must follow. A kept instance has a once cell, which reports the build.
  /// - Throws: ``ResolutionError/Code/closed``.
  func beginBuild(for container: Container, in frame: ResolutionFrame) throws -> Bool {
    if policy.isKept { return false }
    guard container.lifecycle.activity.begin() else {
      throw ResolutionError.closed(identity, Chain(frame.parent), in: container)
    }
    FramesInFlight.add(frame)
    return true
  }

  func endBuild(for container: Container, in frame: ResolutionFrame) {
    FramesInFlight.remove(frame)
    container.lifecycle.endActivity()
  }
}
