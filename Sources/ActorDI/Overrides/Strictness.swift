/// The strictness of an override layer: it refuses each external service that no override replaces.
///
/// A strict layer covers more containers than its overrides: those that search the overridden container, and those that it searches. So
/// a child's layer refuses what a parent's singleton would resolve.
package struct Strictness: Sendable {
  fileprivate let report: @Sendable (ResolutionError) -> (any IssueOfTest)?

  /// Creates a strictness.
  ///
  /// - Parameter report: Receives the error of each refused resolve before it is thrown, on the thread of the resolve. Returns the issue
  ///   for an ``Injected`` property to record before it stops the program.
  package init(report: @escaping @Sendable (ResolutionError) -> (any IssueOfTest)? = { _ in nil }) {
    self.report = report
  }
}

extension OverrideLayer {
  /// Whether the layer changes what a container resolves: it is searched, or strict.
  func concerns(_ asked: Container) -> Bool { applies(to: asked) || isStrict(for: asked) }

  /// Whether the layer is strict about the services that a container resolves.
  func isStrict(for asked: Container) -> Bool {
    strictness != nil && (applies(to: asked) || container.searchOrder.contains { $0 === asked })
  }
}

extension Binding {
  /// Whether the binding itself touches the world outside the program, and is no override. The target of an alias and the inner binding
  /// of a decorator are judged on their own.
  var isForbiddenByStrictLayers: Bool {
    unsafe descriptor.traits.contains(.isExternal) && owner.replacedContainer == nil
  }

  /// Refuses an external service if a strict layer is in force for the caller.
  ///
  /// - Throws: ``ResolutionError/Code/external``.
  func checkStrictness(asking container: Container, _ chain: @autoclosure () -> Chain) throws(ResolutionError) {
    guard isForbiddenByStrictLayers else { return }
    let strictnesses = OverrideLayer.inForce.filter { $0.isStrict(for: container) }.compactMap(\.strictness)
    if strictnesses.isEmpty { return }
    let error = ResolutionError.external(self, chain())
    // The innermost one that makes an issue, since an operation within a strict test makes none. A lazy collection would report twice.
    for strictness in strictnesses {
      if let issue = strictness.report(error) { throw error.with(issue) }
    }
    throw error
  }
}
