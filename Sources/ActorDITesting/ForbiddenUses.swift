import ActorDI
import Synchronization
import Testing

/// The uses of services that a test must not use, by tasks without a current test. They are reported in the task of the test.
final class ForbiddenUses: Sendable {
  /// Nil once the test has ended.
  private let waiting = Mutex<[any IssueOfTest]?>([])

  /// The uses of the running test, for registrations created for that test.
  @TaskLocal static var current: ForbiddenUses?

  /// Records an issue: at once if the task has a current test or if the test of these uses has ended, otherwise at the end of that test.
  func note(_ issue: any IssueOfTest) {
    if Test.current == nil, waiting.withLock({ $0?.append(issue) }) != nil { return }
    issue.recordNow()
  }

  /// Records the issues that wait. Called in the task of the test, at its end.
  func report() {
    let issues = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for issue in issues { issue.recordNow() }
  }
}

/// One use of a service that a test must not use. Recorded once, as an issue.
final class ForbiddenUse: Sendable {
  private let isRecorded = Atomic(false)
  private let sourceLocation: SourceLocation

  init(at sourceLocation: SourceLocation) { self.sourceLocation = sourceLocation }

  func record(_ error: any Error) {
    if isRecorded.exchange(true, ordering: .relaxed) { return }
    Issue.record(error, sourceLocation: sourceLocation)
  }
}

/// A resolve of an external service in a strict test.
struct ExternalUse: IssueOfTest {
  let error: ResolutionError
  let use: ForbiddenUse

  func recordNow() { use.record(error) }
}
