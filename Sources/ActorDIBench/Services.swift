// The measured services. All are Sendable classes: kept services must be Sendable, and the reference count of a class is what matters
// here.

/// A service behind a protocol, as most services are requested.
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

/// The expected answers of the services.
enum Answers {
  static let base = 1_000
  static let question = 42
  static let greeter = base + question
  static let leaf = 1
  /// The number of objects in a graph and in a chain.
  static let objects = 10
}

/// An object without dependencies.
final class Leaf: Sendable {
  var weight: Int { 1 }
}

/// A service that is not measured, registered so that no registry contains a single service.
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
