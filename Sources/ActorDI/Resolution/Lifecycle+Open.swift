// Builds that the container keeps nothing of: those of transient and `.graph` instances.
extension Lifecycle {
  /// Runs a build that a closing container waits for (L1). A mark in the thread's slots lists the build for
  /// ``Container/servicesInFlight``.
  ///
  /// - Throws: The errors of the build; ``ResolutionError/Code/closed`` if the container was closed before or during the build, so that
  ///   the instance must not be handed out.
  func whileOpen<Result>(
    _ identity: ServiceIdentity, _ chain: Chain, _ build: () throws -> Result
  ) throws -> Result {
    guard activity.begin() else { throw ResolutionError.closed(identity, chain, in: container) }
    defer { endActivity() }
    let result = try unsafe ThreadRecordPointer.current.holdingCall(by: mark) { _ in try build() }
    if isClosed { throw ResolutionError.closed(identity, chain, in: container) }
    return result
  }

  /// Runs a build that suspends, and that a closing container waits for (L1). Its frame is listed while it runs.
  ///
  /// - Throws: The errors of the build; ``ResolutionError/Code/closed`` if the container was closed before or during the build.
  nonisolated(nonsending) func whileOpen<Result>(
    _ identity: ServiceIdentity, _ chain: Chain, in frame: ResolutionFrame, _ build: () async throws -> Result
  ) async throws -> Result {
    guard activity.begin() else { throw ResolutionError.closed(identity, chain, in: container) }
    state.withLock { $0.builds.append(frame) }
    defer {
      state.withLock { _ = $0.builds.remove(frame) }
      endActivity()
    }
    let result = try await build()
    if isClosed { throw ResolutionError.closed(identity, chain, in: container) }
    return result
  }
}
