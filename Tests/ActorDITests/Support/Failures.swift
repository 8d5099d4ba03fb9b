package import ActorDI
package import Testing

/// An error that a factory, hook or disposer throws.
package struct Boom: Error, Equatable {
  package var number: Int
  package init(number: Int = 0) { self.number = number }
}

/// Returns the resolution error that a call throws. Rethrows any other error; fails the test if there is none.
package func resolutionError<Value>(
  sourceLocation: Testing.SourceLocation = #_sourceLocation, _ body: () throws -> Value
) throws -> ResolutionError {
  try found(in: Result { _ = try body() }, sourceLocation)
}

/// Returns the resolution error that an asynchronous call throws. Rethrows any other error; fails the test if there is none.
package func asyncResolutionError<Value>(
  sourceLocation: Testing.SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async throws -> ResolutionError {
  let result: Result<Void, any Error>
  do {
    _ = try await body()
    result = .success(())
  } catch {
    result = .failure(error)
  }
  return try found(in: result, sourceLocation)
}

private struct NoError: Error {}

private func found(
  in result: Result<Void, any Error>, _ sourceLocation: Testing.SourceLocation
) throws -> ResolutionError {
  switch result {
  case .failure(let error as ResolutionError): return error
  case .failure(let error): throw error
  case .success:
    Issue.record("The call throws no ResolutionError", sourceLocation: sourceLocation)
    throw NoError()
  }
}

extension Result where Failure == any Error {
  /// Makes the result of an asynchronous call.
  package init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }

  /// The error; nil after a success.
  package var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}
