extension Result where Failure == any Error {
  /// The result of an asynchronous call.
  static func catching(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
