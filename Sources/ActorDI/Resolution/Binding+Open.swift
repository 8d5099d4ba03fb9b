// Builds of instances that no container keeps: transient and `.graph` instances. For kept instances, the once cell reports the build to
// the owner.
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
    if descriptor.scope.isKept { return try build() }
    let lifecycle = container.lifecycle
    guard lifecycle.activity.begin() else { throw ResolutionError.closed(identity, chain(), in: container) }
    defer { lifecycle.endActivity() }
    let result = try ThreadRecordPointer.current.holdingCall(by: lifecycle.mark) { _ in try build() }
    if lifecycle.isClosed { throw ResolutionError.closed(identity, chain(), in: container) }
    return result
  }

  /// Runs a build that may suspend. A closing container waits for it (L1).
  ///
  /// The lifecycle lists the build's frame meanwhile.
  ///
  /// - Throws: The errors of the build; ``ResolutionError/Code/closed`` if the container was closed before or during the build.
  final nonisolated(nonsending) func whileOpen(
    _ container: Container, _ chain: Chain, in frame: ResolutionFrame, _ build: () async throws -> Instance
  ) async throws -> Instance {
    if descriptor.scope.isKept { return try await build() }
    let lifecycle = container.lifecycle
    guard lifecycle.activity.begin() else { throw ResolutionError.closed(identity, chain, in: container) }
    lifecycle.list(frame)
    defer { lifecycle.endBuild(frame) }
    let instance = try await build()
    if lifecycle.isClosed { throw ResolutionError.closed(identity, chain, in: container) }
    return instance
  }
}
