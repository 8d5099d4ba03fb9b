/// What went wrong when a container was closed: all of it. What could be disposed of has been.
public struct ShutdownError: Error, Sendable {
  /// The failures, in the order in which they came.
  public let failures: [Failure]

  /// The scopes whose operations had not returned when the time was up. Their tasks were cancelled, and the scopes closed under them.
  public let openScopes: [OpenScope]

  /// The name of the container that was closed.
  public let container: String

  @usableFromInline
  init(_ failures: [Failure], openScopes: [OpenScope] = [], container: String) {
    self.failures = failures
    self.openScopes = openScopes
    self.container = container
  }

  /// One thing that went wrong.
  public struct Failure: Sendable {
    let identity: ServiceIdentity

    /// The name of the container that made the instance: the one that was closed, or one below it.
    public let container: String

    /// What went wrong.
    public let reason: Reason

    init(_ identity: ServiceIdentity, in container: String, _ reason: Reason) {
      self.identity = identity
      self.container = container
      self.reason = reason
    }

    /// The service, as it is registered.
    public var service: any Any.Type { identity.service }

    /// The key that it is registered under.
    public var key: (any Hashable & Sendable)? { identity.key?.value }

    /// What `onDispose(_:)` or ``Disposable/dispose()`` has thrown; nil when something took too long.
    public var error: (any Error)? {
      if case .failed(let error) = reason { error } else { nil }
    }
  }

  /// What can go wrong with an instance.
  public enum Reason: Sendable {
    /// It was disposed of, and that failed.
    case failed(any Error)
    /// It was still being built when the time was up. It is disposed of when it is there.
    case stillBuilding
    /// It was still being disposed of when the time was up.
    case stillDisposing
    /// Its turn had not come when the time was up. It is disposed of when it has.
    case waiting
  }
}

extension ShutdownError: CustomStringConvertible {
  /// How many failures there are, then one line for each; a scope that was open is one.
  public var description: String {
    let sum = failures.count + openScopes.count
    let count = sum == 1 ? "1 failure" : "\(sum) failures"
    let lines =
      openScopes.map { "- \($0): its task was cancelled when the time was up." }
      + failures.map { "- \($0)" }
    return (["\(count) when container \"\(container)\" was closed:"] + lines).joined(separator: "\n")
  }
}

extension ShutdownError.Failure: CustomStringConvertible {
  /// One line: what, where, why.
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
