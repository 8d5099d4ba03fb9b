/// Candidates: several registrations of one identity, from which each resolve chooses.
///
/// Every candidate but the first is an ``Registration/alternative()``. A resolve uses the candidate with the most
/// satisfiable parameters. A single binding, which builds nothing itself, represents all candidates.
enum Candidates {
  /// Creates the binding that represents an old and a new registration as candidates.
  ///
  /// - Returns: nil if the new registration replaces the old one.
  static func merging(_ old: Binding, _ new: Binding) -> Binding? {
    let all = joining(of(old), new)
    guard all.count > 1 else { return nil }
    let choice = new.choice(among: all)
    choice.become(.choice(among: all))
    // A resolve by an alias gets what the choice yields.
    unsafe choice.makeAliases(all.flatMap(\.innermost.descriptor.aliases), in: choice.owner)
    return choice
  }

  /// The registrations of an identity that stand after a new one: that one, and those that it joins.
  static func joining(_ old: [Binding], _ new: Binding) -> [Binding] { old.filter { canCoexist($0, new) } + [new] }

  /// The candidates that a binding represents, or the binding itself.
  static func of(_ binding: Binding) -> [Binding] { binding.candidates ?? [binding] }

  /// Whether a new registration joins an old one of its identity as a candidate.
  ///
  /// Candidates with equal parameters are refused, since neither could ever be preferred.
  static func canCoexist(_ old: Binding, _ new: Binding) -> Bool {
    guard new.descriptor.traits.contains(.isAlternative) else { return false }
    return !old.innermost.descriptor.parameters.elementsEqual(new.innermost.descriptor.parameters) {
      ($0.forms.first ?? $0.identity) == ($1.forms.first ?? $1.identity)
    }
  }
}
