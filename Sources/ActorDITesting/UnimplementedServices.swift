import ActorDI
import Synchronization
import Testing

/// Collects the uses of unimplemented services by tasks without a current test, to report them in the task of the test.
final class UnimplementedServices: Sendable {
  /// One use of an unimplemented service. It is recorded once, as an issue.
  final class Use: Sendable {
    private let isRecorded = Atomic(false)
    private let sourceLocation: SourceLocation

    init(at sourceLocation: SourceLocation) { self.sourceLocation = sourceLocation }

    func record(_ error: UnimplementedServiceError) {
      if isRecorded.exchange(true, ordering: .relaxed) { return }
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }

  private let uses = Mutex<[UnimplementedServiceError]>([])

  /// The collection of the running test, for registrations created for that test.
  @TaskLocal static var current: UnimplementedServices?

  /// Records an issue: at once if the task has a current test, otherwise at the end of the test that the registration was created
  /// for.
  static func note(_ error: UnimplementedServiceError, in services: UnimplementedServices?) {
    if Test.current == nil, let services {
      services.uses.withLock { $0.append(error) }
    } else {
      error.recordNow()
    }
  }

  /// Records the collected issues. Called in the task of the test.
  func report() {
    let uses = uses.withLock { uses in
      let all = uses
      uses = []
      return all
    }
    for use in uses { use.recordNow() }
  }
}

extension UnimplementedServiceError: IssueOfTest {
  package func recordNow() { use.record(self) }
}
