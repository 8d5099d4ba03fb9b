package import ActorDI

/// The problems that validation finds in a container.
package func problems(of container: Container) -> [ValidationError.Problem] {
  do {
    try container.validate()
    return []
  } catch {
    return error.problems
  }
}

/// The problems that validation finds, as kinds and paths.
package func findings(_ container: Container) -> [String] {
  problems(of: container).map { "\($0.kind): \($0.path.joined(separator: " -> "))" }
}

/// Services that differ by key only; a node of a graph is a number.
extension Registration where Service == Int {
  package static func node(_ number: Int, takes others: Int..., scope: Scope = .transient) -> Self {
    others.reduce(Registration(Int.self, scope: scope) { _ in number }.key(number).dependsOn()) {
      $0.dependsOn(Int.self, key: $1)
    }
  }
}
