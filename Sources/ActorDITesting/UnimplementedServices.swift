import Synchronization
import Testing

/// Collects the uses of unimplemented services by tasks without a current test, to report them in the task of the test.
final class UnimplementedServices: Sendable {
  private struct Use: Sendable {
    let error: UnimplementedServiceError
    let sourceLocation: SourceLocation
  }

  private let uses = Mutex<[Use]>([])

  /// The collection of the running test, for registrations created for that test.
  @TaskLocal static var current: UnimplementedServices?

  /// Records an issue: at once if the task has a current test, otherwise at the end of the test that the registration was created
  /// for.
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

  /// Records the collected issues. Called in the task of the test.
  func report() {
    let uses = uses.withLock { uses in
      let all = uses
      uses = []
      return all
    }
    for use in uses { Issue.record(use.error, sourceLocation: use.sourceLocation) }
  }
}
