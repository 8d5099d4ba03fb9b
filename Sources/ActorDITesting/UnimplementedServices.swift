import Synchronization
import Testing

/// What was resolved during a test that should not have been, by tasks that do not know of the test.
final class UnimplementedServices: Sendable {
  private struct Use: Sendable {
    let error: UnimplementedServiceError
    let sourceLocation: SourceLocation
  }

  private let uses = Mutex<[Use]>([])

  /// Those of the test that runs, for registrations that are made for it.
  @TaskLocal static var current: UnimplementedServices?

  /// Records an issue: now, where it is known which test it belongs to; else at the end of the one that the registration was made for.
  static func note(
    _ error: UnimplementedServiceError, at sourceLocation: SourceLocation,
    in services: UnimplementedServices?
  ) {
    if Test.current == nil, let services {
      services.uses.withLock { $0.append(Use(error: error, sourceLocation: sourceLocation)) }
    } else {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }

  /// In the task of the test.
  func report() {
    let uses = uses.withLock { uses in
      let all = uses
      uses = []
      return all
    }
    for use in uses { Issue.record(use.error, sourceLocation: use.sourceLocation) }
  }
}
