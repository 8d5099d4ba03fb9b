public import ActorDI
public import Testing

extension Container {
  /// Validates the container in a test: each problem is an issue of the test.
  ///
  /// ```swift
  /// @Test func everythingCanBeBuilt() async {
  ///   await AppContainer.make().validated()
  /// }
  /// ```
  ///
  /// The text of an issue begins with the line of the registration and the code of the problem, such as
  /// `App/Services.swift:3: error: ADI003 Captive dependency: …`.
  ///
  /// - Parameters:
  ///   - building: Whether to build each service, too, as by ``ActorDI/Container/validate(building:)``.
  ///   - sourceLocation: The location of the issues.
  /// - Returns: The container.
  /// - Complexity: O(n) in the number of registrations and dependencies.
  /// - Concurrency: Callable from any task.
  @discardableResult
  public nonisolated func validated(
    building: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Container {
    do throws(ValidationError) {
      _ = try await building ? validate(building: true) : validate()
    } catch {
      for problem in error.problems { Issue.record("\(problem.diagnostic)", sourceLocation: sourceLocation) }
    }
    return self
  }
}
