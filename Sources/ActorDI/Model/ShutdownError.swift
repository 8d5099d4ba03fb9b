/// All failures of closing a container. The container disposed of everything else.
public struct ShutdownError: Error, Sendable, CustomStringConvertible {
  /// The failures, in order of occurrence.
  public let failures: [Failure]

  /// The scopes that were still open at the timeout: their operations had not returned, or they were extended. The tasks of the operations
  /// were cancelled, and the scopes closed.
  public let openScopes: [OpenScope]

  private let name: IntegerStored<String>

  /// The name of the closed container.
  public var container: String { name.value }

  @usableFromInline
  init(_ failures: [Failure], openScopes: [OpenScope] = [], container: String) {
    self.failures = failures
    self.openScopes = openScopes
    name = IntegerStored(container)
  }

  /// One failure.
  public struct Failure: Sendable, CustomStringConvertible {
    let identity: ServiceIdentity

    /// The name of the container that made the instance: the closed one, or one below it.
    public let container: String

    /// The reason for the failure.
    public let reason: Reason

    /// The service's registered type.
    public var service: any Any.Type { identity.service }

    /// The service's registered key.
    public var key: (any Hashable & Sendable)? { identity.key?.value }

    /// The error thrown by an `onDispose(_:)` closure or ``Disposable/dispose()``; nil for a timeout.
    public var error: (any Error)? { if case .failed(let error) = reason { error } else { nil } }

    /// One line of text: the service, its container and the reason.
    public var description: String {
      let text =
        switch reason {
        case .failed(let error): "could not be disposed of: \(error)"
        case .stillBuilding: "was still being built when the time was up."
        case .stillDisposing: "was still being disposed of when the time was up."
        case .waiting: "had not been disposed of when the time was up: others had not finished."
        }
      return "\(identity) in container \"\(container)\" \(text)"
    }
  }

  /// The ways in which disposing of an instance can fail.
  public enum Reason: Sendable {
    /// The disposal threw an error.
    case failed(any Error)
    /// The instance was still being built at the timeout. It is disposed of once it is built.
    case stillBuilding
    /// The instance was still being disposed of at the timeout.
    case stillDisposing
    /// The disposal had not begun at the timeout, since others had not finished. It runs after them.
    case waiting
  }

  /// The number of failures, followed by one line for each. Open scopes count as failures.
  public var description: String {
    let sum = failures.count + openScopes.count
    let count = sum == 1 ? "1 failure" : "\(sum) failures"
    let lines =
      openScopes.map { "- \($0), was still open when the time was up." }
      + failures.map { "- \($0)" }
    return (["\(count) when container \"\(container)\" was closed:"] + lines).joined(separator: "\n")
  }
}
