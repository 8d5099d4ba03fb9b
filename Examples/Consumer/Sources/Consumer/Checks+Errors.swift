import ActorDI
import Checks

extension Checks {
  var isPatient: Bool { true }

  /// The body has to throw a ``ResolutionError`` of this code, with a text for people.
  func expectError(
    _ code: ResolutionError.Code, line: UInt = #line, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      expect(false, "no error, instead of \(code)", line: line)
    } catch let error as ResolutionError {
      expect(error.code == code, "\(error.code) instead of \(code)", line: line)
      expect(!error.description.isEmpty, "an error without words", line: line)
    } catch {
      expect(false, "\(error) instead of \(code)", line: line)
    }
  }
}
