import ActorDI

/// P5: ten new objects for each resolve, each of which depends on the one before, registered in the asked container or in its parent.
struct Chain: Scenario {
  static let name = "chain"
  static let summary = "chain of ten new objects, sync"

  let expectedAnswer = Answers.objects

  func contenders() throws -> [Contender] {
    let dictionary = Self.dictionary()
    let autowired = Self.autowired()
    let factories = Self.factories()
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Floors.chain().weight },
        work: .threads { count in
          repeating(count) { consume(Floors.chain()) }
        }),
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: { dictionary.make(Link9.self).weight },
        work: .threads { count in
          repeating(count) { consume(dictionary.make(Link9.self)) }
        }),
      .plainDictionary(
        Self.plainDictionary, answer: { $0.resolve(Link9.self).weight },
        { dictionary, count in repeating(count) { consume(dictionary.resolve(Link9.self)) } }),
    ]
      + [Place.owner, .child].flatMap { place in
        [(ContenderName.byAutowiring, autowired), (ContenderName.byFactory, factories)].map { kind, container in
          .threads(
            place.contender + kind, at: place, of: container, answer: { try await $0.resolve(Link9.self).weight },
            { container, count in try repeating(count) { consume(try container.resolve(Link9.self)) } })
        }
      }
  }

  static func autowired() -> Container {
    Container {
      Registration(autowired: Link0.self, initializer: Link0.init)
      Registration(autowired: Link1.self, initializer: Link1.init)
      Registration(autowired: Link2.self, initializer: Link2.init)
      Registration(autowired: Link3.self, initializer: Link3.init)
      Registration(autowired: Link4.self, initializer: Link4.init)
      Registration(autowired: Link5.self, initializer: Link5.init)
      Registration(autowired: Link6.self, initializer: Link6.init)
      Registration(autowired: Link7.self, initializer: Link7.init)
      Registration(autowired: Link8.self, initializer: Link8.init)
      Registration(autowired: Link9.self, initializer: Link9.init)
    }
  }

  static func factories() -> Container {
    Container {
      Registration(Link0.self) { _ in Link0() }
      Registration(Link1.self) { r in Link1(next: try r.resolve()) }
      Registration(Link2.self) { r in Link2(next: try r.resolve()) }
      Registration(Link3.self) { r in Link3(next: try r.resolve()) }
      Registration(Link4.self) { r in Link4(next: try r.resolve()) }
      Registration(Link5.self) { r in Link5(next: try r.resolve()) }
      Registration(Link6.self) { r in Link6(next: try r.resolve()) }
      Registration(Link7.self) { r in Link7(next: try r.resolve()) }
      Registration(Link8.self) { r in Link8(next: try r.resolve()) }
      Registration(Link9.self) { r in Link9(next: try r.resolve()) }
    }
  }

  private static func dictionary() -> LockedDictionary {
    let dictionary = LockedDictionary()
    dictionary.register(Link0.self) { _ in Link0() }
    dictionary.register(Link1.self) { Link1(next: $0.make()) }
    dictionary.register(Link2.self) { Link2(next: $0.make()) }
    dictionary.register(Link3.self) { Link3(next: $0.make()) }
    dictionary.register(Link4.self) { Link4(next: $0.make()) }
    dictionary.register(Link5.self) { Link5(next: $0.make()) }
    dictionary.register(Link6.self) { Link6(next: $0.make()) }
    dictionary.register(Link7.self) { Link7(next: $0.make()) }
    dictionary.register(Link8.self) { Link8(next: $0.make()) }
    dictionary.register(Link9.self) { Link9(next: $0.make()) }
    return dictionary
  }

  private static func plainDictionary() -> PlainDictionary {
    let dictionary = PlainDictionary()
    dictionary.register(Link0.self) { _ in Link0() }
    dictionary.register(Link1.self) { Link1(next: $0.resolve()) }
    dictionary.register(Link2.self) { Link2(next: $0.resolve()) }
    dictionary.register(Link3.self) { Link3(next: $0.resolve()) }
    dictionary.register(Link4.self) { Link4(next: $0.resolve()) }
    dictionary.register(Link5.self) { Link5(next: $0.resolve()) }
    dictionary.register(Link6.self) { Link6(next: $0.resolve()) }
    dictionary.register(Link7.self) { Link7(next: $0.resolve()) }
    dictionary.register(Link8.self) { Link8(next: $0.resolve()) }
    dictionary.register(Link9.self) { Link9(next: $0.resolve()) }
    return dictionary
  }
}

// MARK: - The objects, each of which holds the one before

// The classes are in the same file as their factories. From another file, the compiler accesses each class through a function. The
// factories then differ only in these functions, so LLVM merges them into one with indirect calls. That adds about half the cost of a
// plain construction.

final class Link0: Sendable {
  var weight: Int { 1 }
}

final class Link1: Sendable {
  let next: Link0
  init(next: Link0) { self.next = next }
  var weight: Int { 1 + next.weight }
}

final class Link2: Sendable {
  let next: Link1
  init(next: Link1) { self.next = next }
  var weight: Int { 1 + next.weight }
}

final class Link3: Sendable {
  let next: Link2
  init(next: Link2) { self.next = next }
  var weight: Int { 1 + next.weight }
}

final class Link4: Sendable {
  let next: Link3
  init(next: Link3) { self.next = next }
  var weight: Int { 1 + next.weight }
}

final class Link5: Sendable {
  let next: Link4
  init(next: Link4) { self.next = next }
  var weight: Int { 1 + next.weight }
}

final class Link6: Sendable {
  let next: Link5
  init(next: Link5) { self.next = next }
  var weight: Int { 1 + next.weight }
}

final class Link7: Sendable {
  let next: Link6
  init(next: Link6) { self.next = next }
  var weight: Int { 1 + next.weight }
}

final class Link8: Sendable {
  let next: Link7
  init(next: Link7) { self.next = next }
  var weight: Int { 1 + next.weight }
}

final class Link9: Sendable {
  let next: Link8
  init(next: Link8) { self.next = next }
  var weight: Int { 1 + next.weight }
}
