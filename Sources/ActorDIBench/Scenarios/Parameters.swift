import ActorDI

/// P19: a new object whose initialiser has 1, 6 or 12 parameters. Each parameter is a new object of a distinct type.
struct Parameters: Scenario {
  static let name = "parameters"
  static let summary = "new object with n parameters, autowired, sync, n + 1 objects"

  static let counts = [1, 6, 12]

  let lanes = Lanes.parameters(Parameters.counts)
  /// The objects of all three kinds.
  let expectedAnswer = 2 + 7 + 13

  func contenders() -> [Contender] {
    let container = Container {
      Registration(autowired: Part1.self, initializer: Part1.init)
      Registration(autowired: Part2.self, initializer: Part2.init)
      Registration(autowired: Part3.self, initializer: Part3.init)
      Registration(autowired: Part4.self, initializer: Part4.init)
      Registration(autowired: Part5.self, initializer: Part5.init)
      Registration(autowired: Part6.self, initializer: Part6.init)
      Registration(autowired: Part7.self, initializer: Part7.init)
      Registration(autowired: Part8.self, initializer: Part8.init)
      Registration(autowired: Part9.self, initializer: Part9.init)
      Registration(autowired: Part10.self, initializer: Part10.init)
      Registration(autowired: Part11.self, initializer: Part11.init)
      Registration(autowired: Part12.self, initializer: Part12.init)
      Registration(autowired: WholeOf1.self, initializer: WholeOf1.init)
      Registration(autowired: WholeOf6.self, initializer: WholeOf6.init)
      Registration(autowired: WholeOf12.self, initializer: WholeOf12.init)
    }
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Self.plain1().weight + Self.plain6().weight + Self.plain12().weight },
        work: .onOneThread { parameters in
          switch parameters {
          case 1: { count in repeating(count) { consume(Self.plain1()) } }
          case 6: { count in repeating(count) { consume(Self.plain6()) } }
          default: { count in repeating(count) { consume(Self.plain12()) } }
          }
        }),
      Contender(
        name: ContenderName.container + ContenderName.byAutowiring, role: .container,
        answer: {
          try container.resolve(WholeOf1.self).weight + container.resolve(WholeOf6.self).weight
            + container.resolve(WholeOf12.self).weight
        },
        work: .onOneThread { parameters in
          switch parameters {
          case 1: { count in try repeating(count) { consume(try container.resolve(WholeOf1.self)) } }
          case 6: { count in try repeating(count) { consume(try container.resolve(WholeOf6.self)) } }
          default: { count in try repeating(count) { consume(try container.resolve(WholeOf12.self)) } }
          }
        }),
    ]
  }

  @inline(never)
  private static func plain1() -> WholeOf1 { WholeOf1(p1: Part1()) }

  @inline(never)
  private static func plain6() -> WholeOf6 {
    WholeOf6(p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5(), p6: Part6())
  }

  @inline(never)
  private static func plain12() -> WholeOf12 {
    WholeOf12(
      p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5(), p6: Part6(), p7: Part7(), p8: Part8(),
      p9: Part9(), p10: Part10(), p11: Part11(), p12: Part12())
  }
}

// The consumers have different parameters: see Consumer.swift.

@inline(never) @_optimize(none)
private func consume(_ whole: borrowing WholeOf1) {}

@inline(__always)
private func consume(_ whole: borrowing WholeOf6) { take(whole, 1) }

@inline(__always)
private func consume(_ whole: borrowing WholeOf12) { take(whole, 1, 2) }

@inline(never) @_optimize(none)
private func take(_ whole: borrowing WholeOf6, _ one: Int) {}

@inline(never) @_optimize(none)
private func take(_ whole: borrowing WholeOf12, _ one: Int, _ two: Int) {}

// MARK: - The objects, in the same file as their factories: see Chain.swift

private final class Part1: Sendable { var weight: Int { 1 } }
private final class Part2: Sendable { var weight: Int { 1 } }
private final class Part3: Sendable { var weight: Int { 1 } }
private final class Part4: Sendable { var weight: Int { 1 } }
private final class Part5: Sendable { var weight: Int { 1 } }
private final class Part6: Sendable { var weight: Int { 1 } }
private final class Part7: Sendable { var weight: Int { 1 } }
private final class Part8: Sendable { var weight: Int { 1 } }
private final class Part9: Sendable { var weight: Int { 1 } }
private final class Part10: Sendable { var weight: Int { 1 } }
private final class Part11: Sendable { var weight: Int { 1 } }
private final class Part12: Sendable { var weight: Int { 1 } }

private final class WholeOf1: Sendable {
  let p1: Part1

  init(p1: Part1) {
    self.p1 = p1
  }

  var weight: Int { 1 + p1.weight }
}

private final class WholeOf6: Sendable {
  let p1: Part1
  let p2: Part2
  let p3: Part3
  let p4: Part4
  let p5: Part5
  let p6: Part6

  init(p1: Part1, p2: Part2, p3: Part3, p4: Part4, p5: Part5, p6: Part6) {
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
    self.p4 = p4
    self.p5 = p5
    self.p6 = p6
  }

  var weight: Int { 1 + p1.weight + p2.weight + p3.weight + p4.weight + p5.weight + p6.weight }
}

private final class WholeOf12: Sendable {
  let p1: Part1
  let p2: Part2
  let p3: Part3
  let p4: Part4
  let p5: Part5
  let p6: Part6
  let p7: Part7
  let p8: Part8
  let p9: Part9
  let p10: Part10
  let p11: Part11
  let p12: Part12

  init(
    p1: Part1, p2: Part2, p3: Part3, p4: Part4, p5: Part5, p6: Part6, p7: Part7, p8: Part8, p9: Part9, p10: Part10,
    p11: Part11, p12: Part12
  ) {
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
    self.p4 = p4
    self.p5 = p5
    self.p6 = p6
    self.p7 = p7
    self.p8 = p8
    self.p9 = p9
    self.p10 = p10
    self.p11 = p11
    self.p12 = p12
  }

  var weight: Int {
    let half = 1 + p1.weight + p2.weight + p3.weight + p4.weight + p5.weight + p6.weight
    return half + p7.weight + p8.weight + p9.weight + p10.weight + p11.weight + p12.weight
  }
}
