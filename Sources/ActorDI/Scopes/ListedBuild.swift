/// A build that a ``Lifecycle`` lists while it runs.
///
/// `@unchecked Sendable` like its superclass; its own field is immutable.
class ListedBuild: LinkedElement, @unchecked Sendable {
  /// The service under construction, for dependency paths.
  final let identity: ServiceIdentity

  init(_ identity: ServiceIdentity) { self.identity = identity }

  /// Cancels the build's task, if it has one of its own.
  func cancel() {}
}
