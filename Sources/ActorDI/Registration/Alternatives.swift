/// Several autowired registrations of one identity that differ in what they take: the one with the most parameters that
/// can be satisfied is used.
///
/// They stand behind one binding, which builds nothing itself.
enum Alternatives {
  /// The binding that stands for an old one and a new one together; nil when the new one replaces the old.
  static func merging(_ old: Binding, _ new: Binding) -> Binding? {
    guard new.descriptor.nature.isAutowired, members(old).allSatisfy(\.descriptor.nature.isAutowired) else {
      return nil
    }
    let others = members(old).filter { canStandTogether($0, new) }
    guard !others.isEmpty else { return nil }
    let group = new.delegate(to: others + [new])
    group.stand(for: others + [new], as: .group)
    return group
  }

  /// The single registrations that a binding stands for.
  static func members(_ binding: Binding) -> [Binding] {
    binding.isGroup ? binding.parts : [binding]
  }

  /// Whether two registrations of one identity are both of use.
  static func canStandTogether(_ left: Binding, _ right: Binding) -> Bool {
    guard left.descriptor.nature.isAutowired, right.descriptor.nature.isAutowired else { return false }
    return !left.descriptor.parameters.elementsEqual(right.descriptor.parameters) {
      $0.identity.isSame(as: $1.identity) && $0.need == $1.need
    }
  }

  /// The one to use.
  ///
  /// - Throws: ``ResolutionError/Code/ambiguous`` when several satisfy equally many parameters.
  static func choose(_ candidates: [Binding], for resolver: Resolver) throws -> Binding {
    let best = best(of: candidates, for: resolver)
    guard let chosen = best.first else { throw PrimaryIsGone() }
    if best.count > 1 { throw ResolutionError.ambiguous(best, resolver.currentChain) }
    return chosen
  }

  /// The one to use; several, when they satisfy equally many parameters.
  static func best(of candidates: [Binding], for resolver: Resolver) -> [Binding] {
    let rated = candidates.map { candidate in
      (candidate, rating(of: candidate, in: candidate.container(for: resolver)))
    }
    let possible = rated.filter { $0.1.isPossible }
    // With none to be satisfied, the largest one's error says what is missing.
    let best = (possible.isEmpty ? rated : possible).max { $0.1.count < $1.1.count }
    guard let best else { return [] }
    return possible.isEmpty ? [best.0] : possible.filter { $0.1.count == best.1.count }.map(\.0)
  }

  /// How many of its parameters a container has, and whether those that it cannot do without are among them.
  private static func rating(
    of candidate: Binding, in container: Container
  ) -> (count: Int, isPossible: Bool) {
    var count = 0
    var isPossible = true
    for parameter in candidate.descriptor.parameters {
      if parameter.identity.isBuiltIn || container.contains(parameter.identity) {
        count += 1
      } else if parameter.need == .required {
        isPossible = false
      }
    }
    return (count, isPossible)
  }
}
