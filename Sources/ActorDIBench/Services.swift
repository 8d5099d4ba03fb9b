// The services that are measured. All are Sendable classes: what a container keeps has to be, and a
// class is what its reference count makes interesting.

/// A service behind a protocol, the way most services are asked for.
protocol Greeter: Sendable {
  func answer(_ question: Int) -> Int
}

final class PoliteGreeter: Greeter {
  private let base: Int

  init() {
    base = opaque(Answers.base)
  }

  func answer(_ question: Int) -> Int { base &+ question }
}

/// What the services say when they are asked the right question.
enum Answers {
  static let base = 1_000
  static let question = 42
  static let greeter = base + question
  static let leaf = 1
  /// The objects of a graph and of a chain.
  static let objects = 10
}

/// An object with no dependencies.
final class Leaf: Sendable {
  var weight: Int { 1 }
}

/// A service that nobody measures, there so that no registry holds one thing alone.
final class Bystander: Sendable {}

/// The keys of the keyed scenario.
enum Channel: Hashable, Sendable {
  case primary
  case replica
}

// MARK: - A graph of ten objects: a root, three branches, six leaves

final class LeafA: Sendable { var weight: Int { 1 } }
final class LeafB: Sendable { var weight: Int { 1 } }
final class LeafC: Sendable { var weight: Int { 1 } }
final class LeafD: Sendable { var weight: Int { 1 } }
final class LeafE: Sendable { var weight: Int { 1 } }
final class LeafF: Sendable { var weight: Int { 1 } }

final class BranchA: Sendable {
  let left: LeafA
  let right: LeafB
  init(left: LeafA, right: LeafB) {
    self.left = left
    self.right = right
  }
  var weight: Int { 1 + left.weight + right.weight }
}

final class BranchB: Sendable {
  let left: LeafC
  let right: LeafD
  init(left: LeafC, right: LeafD) {
    self.left = left
    self.right = right
  }
  var weight: Int { 1 + left.weight + right.weight }
}

final class BranchC: Sendable {
  let left: LeafE
  let right: LeafF
  init(left: LeafE, right: LeafF) {
    self.left = left
    self.right = right
  }
  var weight: Int { 1 + left.weight + right.weight }
}

final class GraphRoot: Sendable {
  let first: BranchA
  let second: BranchB
  let third: BranchC
  init(first: BranchA, second: BranchB, third: BranchC) {
    self.first = first
    self.second = second
    self.third = third
  }
  var weight: Int { 1 + first.weight + second.weight + third.weight }
}
