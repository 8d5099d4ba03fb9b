// Builds that the container keeps nothing of: those of transient and `.graph` instances. For kept instances, the once cell has its
// container count the build.
extension Binding {
  /// Runs a build that a closing container waits for (L1), unless the once cell sees to that. A mark in the thread's slots lists the
  /// build for ``Container/servicesInFlight``.
  ///
  /// - Throws: The errors of the build; ``ResolutionError/Code/closed`` if the container was closed before or during the build, so that
  ///   the instance must not be handed out.
  final func whileOpen<Result>(_ container: Container, _ chain: Chain, _ build: () throws -> Result) throws -> Result {
    if descriptor.scope.isKept { return try build() }
    let lifecycle = container.lifecycle
    guard lifecycle.activity.begin() else { throw ResolutionError.closed(identity, chain, in: container) }
    defer { lifecycle.endActivity() }
    let result = try unsafe ThreadRecordPointer.current.holdingCall(by: lifecycle.mark) { _ in try build() }
    if lifecycle.isClosed { throw ResolutionError.closed(identity, chain, in: container) }
    return result
  }

  /// Runs a build that suspends, and that a closing container waits for (L1), unless the once cell sees to that. Its frame is listed
  /// while it runs.
  ///
  /// - Throws: The errors of the build; ``ResolutionError/Code/closed`` if the container was closed before or during the build.
  final nonisolated(nonsending) func whileOpen(
    _ container: Container, _ chain: Chain, in frame: ResolutionFrame, _ build: () async throws -> Instance
  ) async throws -> Instance {
    if descriptor.scope.isKept { return try await build() }
    let lifecycle = container.lifecycle
    guard lifecycle.activity.begin() else { throw ResolutionError.closed(identity, chain, in: container) }
    lifecycle.state.withLock { $0.builds.append(frame) }
    defer {
      lifecycle.state.withLock { _ = $0.builds.remove(frame) }
      lifecycle.endActivity()
    }
    let instance = try await build()
    if lifecycle.isClosed { throw ResolutionError.closed(identity, chain, in: container) }
    return instance
  }
}
