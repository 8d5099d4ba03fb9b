/// Several registrations of one identity, each of which but the first is a ``Registration/alternative()``: the one with the most
/// parameters that can be satisfied is used.
///
/// They stand behind one binding, which builds nothing itself.
enum Alternatives {
  /// The binding that stands for an old one and a new one together; nil when the new one replaces the old.
  static func merging(_ old: Binding, _ new: Binding) -> Binding? {
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

  /// Whether a new registration stands beside an old one of its identity. Of two with the same parameters neither could ever be preferred.
  static func canStandTogether(_ old: Binding, _ new: Binding) -> Bool {
    guard new.descriptor.nature.isAlternative else { return false }
    return !old.descriptor.parameters.elementsEqual(new.descriptor.parameters) {
      $0.identity.isSame(as: $1.identity) && $0.need == $1.need
    }
  }
}
