// Builds of which a container keeps nothing: those of transient and `.graph` instances.
extension Lifecycle {
  /// Runs a build that the container waits for before it is closed (L1). The thread's slots tell of it: see ``Container/servicesInFlight``.
  ///
  /// - Throws: what the build throws; ``ResolutionError/Code/closed`` if the container is closed, or was meanwhile: then nothing is
  ///   handed out.
  func whileOpen<Result>(
    _ identity: ServiceIdentity, _ chain: Chain, _ build: () throws -> Result
  ) throws -> Result {
    guard activity.begin() else { throw ResolutionError.closed(identity, chain, in: container) }
    defer { endActivity() }
    let result = try unsafe ThreadRecordPointer.current.holdingCall(by: mark) { _ in try build() }
    if isClosed { throw ResolutionError.closed(identity, chain, in: container) }
    return result
  }

  /// The same for a build that suspends. Its frame is listed meanwhile.
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
