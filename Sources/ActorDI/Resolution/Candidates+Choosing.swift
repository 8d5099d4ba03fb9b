extension Candidates {
  /// Chooses the candidate to build from.
  ///
  /// - Throws: ``ResolutionError/Code/ambiguous`` when several candidates satisfy equally many parameters.
  static func choose(_ candidates: [Binding], for resolver: Resolver) throws -> Binding {
    let best = best(of: candidates, for: resolver)
    guard let chosen = best.first else { throw PrimaryIsGone() }
    if best.count > 1 { throw ResolutionError.ambiguous(best, resolver.currentChain) }
    return chosen
  }

  /// The candidates with the most satisfied parameters: more than one if they tie.
  static func best(of candidates: [Binding], for resolver: Resolver) -> [Binding] {
    let rated = candidates.map { candidate in
      (candidate, rating(of: candidate, in: candidate.container(for: resolver.container)))
    }
    let possible = rated.filter { $0.1.isPossible }
    // If no candidate is possible, the one with the most satisfied parameters reports what is missing.
    let best = (possible.isEmpty ? rated : possible).max { $0.1.count < $1.1.count }
    guard let best else { return [] }
    return possible.isEmpty ? [best.0] : possible.filter { $0.1.count == best.1.count }.map(\.0)
  }

  /// Counts the parameters of a candidate that a container can supply, and checks that every required one is among them.
  private static func rating(of candidate: Binding, in container: Container) -> (count: Int, isPossible: Bool) {
    var count = 0
    var isPossible = true
    for parameter in candidate.descriptor.parameters {
      let isThere =
        parameter.collection == nil
        ? parameter.identity.isBuiltIn || container.isRegistered(parameter.identity)
        : !container.elements(of: parameter, for: candidate.address).isEmpty
      if isThere {
        count += 1
      } else if parameter.need == .required {
        isPossible = false
      }
    }
    return (count, isPossible)
  }
}
