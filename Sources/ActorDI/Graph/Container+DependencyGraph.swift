extension Container {
  /// What is registered, and what takes what, without building anything: no factory, hook or condition runs.
  ///
  /// ```swift
  /// try container.dependencyGraph().dot.write(toFile: "graph.dot", atomically: true, encoding: .utf8)
  /// // dot -Tsvg graph.dot -o graph.svg
  /// ```
  ///
  /// It has the registrations of this container, and all that they lead to in its links and parents, found as a resolve would
  /// find them. What `validate()` does not see is not here either: what factory closures resolve without declaring it by
  /// `dependsOn(_:)`, and what decorators and hooks resolve by themselves.
  ///
  /// What the modules of the initial registrations register in ``Module/didLoad(_:)`` is there when they have run: see
  /// ``waitUntilLoaded()``.
  ///
  /// - Returns: the graph, which equals that of a container with the same registrations, and is rendered in the same way.
  /// - Complexity: O(*n* + *e*) in registrations and dependencies, and the time that looking for captive dependencies takes.
  /// - Concurrency: from any thread. Registrations that change meanwhile may be seen as they were or as they are.
  public nonisolated func dependencyGraph() -> DependencyGraph {
    DependencyGraph(of: DependencyWalk(from: self), from: self)
  }
}
