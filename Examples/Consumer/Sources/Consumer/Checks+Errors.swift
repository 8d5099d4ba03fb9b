import ActorDI
import Checks

extension Checks {
  /// Expects a closure to throw a ``ResolutionError`` with this code and a description.
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
