public import ActorDIMacros
public import Testing

extension UnimplementedDouble {
  /// Creates a double each of whose members records an issue of the running test.
  ///
  /// - Parameter sourceLocation: The location of the issues.
  public init(sourceLocation: SourceLocation = #_sourceLocation) {
    self.init { member in
      Issue.record(UnimplementedMemberError(member), sourceLocation: sourceLocation)
    }
  }
}
