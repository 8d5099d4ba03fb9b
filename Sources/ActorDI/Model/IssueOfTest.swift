/// An error that fails a test.
///
/// The product ActorDITesting may record it at the end of the test. A property, which cannot throw, stops the program, so it has the
/// error recorded before. The library itself does not import Testing.
package protocol IssueOfTest: Error {
  /// Records the issue unless it has been recorded.
  func recordNow()
}
