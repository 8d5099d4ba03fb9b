extension Candidates {
  /// Chooses the candidate to build from.
  ///
  /// - Throws: ``ResolutionError/Code/ambiguous`` when several candidates satisfy equally many parameters.
  static func choose(_ candidates: [Binding], for resolver: Resolver) throws -> Binding {
    let best = best(of: candidates, for: resolver)
    guard let chosen = best.first else { throw BindingIsGone() }
    if best.count > 1 { throw ResolutionError.ambiguous(best, resolver.currentChain) }
    return chosen
  }

  /// The candidates with the most satisfied parameters: more than one if they tie.
  static func best(of candidates: [Binding], for resolver: Resolver) -> [Binding] {
    let ratings = candidates.map { rating(of: $0, in: $0.container(for: resolver.container)) }
    let possible = ratings.filter(\.isPossible)
    // If no candidate is possible, the one with the most satisfied parameters reports what is missing.
    let best = (possible.isEmpty ? ratings : possible).max { $0.satisfiedCount < $1.satisfiedCount }
    guard let best else { return [] }
    if possible.isEmpty { return [best.candidate] }
    return possible.filter { $0.satisfiedCount == best.satisfiedCount }.map(\.candidate)
  }

  /// How well a container can supply the parameters of a candidate.
  private struct Rating {
    let candidate: Binding
    /// The number of parameters that the container can supply.
    var satisfiedCount = 0
    /// Whether every required parameter is among them.
    var isPossible = true
  }

  private static func rating(of candidate: Binding, in container: Container) -> Rating {
    var rating = Rating(candidate: candidate)
    let descriptor = candidate.innermost.descriptor
    let inherited = descriptor.traits.contains(.inheritsKey) ? candidate.key : nil
    func has(_ parameter: Dependency) -> Bool {
      if let inherited, container.has(parameter.with(inherited), for: candidate.id) { return true }
      return container.has(parameter, for: candidate.id)
    }
    for parameter in descriptor.parameters {
      if parameter.identity.isBuiltIn || has(parameter) {
        rating.satisfiedCount += 1
      } else if parameter.need == .required {
        rating.isPossible = false
      }
    }
    return rating
  }
}
