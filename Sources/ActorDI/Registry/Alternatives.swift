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
}
