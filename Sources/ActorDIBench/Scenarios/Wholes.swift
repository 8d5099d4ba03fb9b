import ActorDI

// Objects whose initialisers have 1 … 12 parameters, for P19, and the code that constructs, registers and resolves them. All in one
// file, because the classes must be in the same file as their factories: see Chain.swift.

/// Objects by the number of their initialiser's parameters.
enum Wholes {
  static let counts = Array(1...12)

  /// The number of all objects, including their parts.
  static let weight = counts.reduce(0) { $0 + $1 + 1 }

  /// Autowired registrations of all objects and their parts.
  @RegistrationBuilder
  static var registrations: Registrations {
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
    Registration(autowired: Whole1.self, initializer: Whole1.init)
    Registration(autowired: Whole2.self, initializer: Whole2.init)
    Registration(autowired: Whole3.self, initializer: Whole3.init)
    Registration(autowired: Whole4.self, initializer: Whole4.init)
    Registration(autowired: Whole5.self, initializer: Whole5.init)
    Registration(autowired: Whole6.self, initializer: Whole6.init)
    Registration(autowired: Whole7.self, initializer: Whole7.init)
    Registration(autowired: Whole8.self, initializer: Whole8.init)
    Registration(autowired: Whole9.self, initializer: Whole9.init)
    Registration(autowired: Whole10.self, initializer: Whole10.init)
    Registration(autowired: Whole11.self, initializer: Whole11.init)
    Registration(autowired: Whole12.self, initializer: Whole12.init)
  }

  /// The sum of the weights of one resolved object of each kind.
  static func weight(in container: Container) throws -> Int {
    var weight = 0
    weight += try container.resolve(Whole1.self).weight
    weight += try container.resolve(Whole2.self).weight
    weight += try container.resolve(Whole3.self).weight
    weight += try container.resolve(Whole4.self).weight
    weight += try container.resolve(Whole5.self).weight
    weight += try container.resolve(Whole6.self).weight
    weight += try container.resolve(Whole7.self).weight
    weight += try container.resolve(Whole8.self).weight
    weight += try container.resolve(Whole9.self).weight
    weight += try container.resolve(Whole10.self).weight
    weight += try container.resolve(Whole11.self).weight
    weight += try container.resolve(Whole12.self).weight
    return weight
  }

  /// The sum of the weights of one object of each kind, constructed by hand.
  static func plainWeight() -> Int {
    var weight = 0
    weight += plain1().weight
    weight += plain2().weight
    weight += plain3().weight
    weight += plain4().weight
    weight += plain5().weight
    weight += plain6().weight
    weight += plain7().weight
    weight += plain8().weight
    weight += plain9().weight
    weight += plain10().weight
    weight += plain11().weight
    weight += plain12().weight
    return weight
  }

  /// Resolves the object with the given number of parameters in a loop.
  static func resolving(_ parameters: Int, from container: Container) -> @Sendable (_ iterations: Int) throws -> Void {
    switch parameters {
    case 1: { count in try repeating(count) { take(try container.resolve(Whole1.self), 1) } }
    case 2: { count in try repeating(count) { take(try container.resolve(Whole2.self), 1, 2) } }
    case 3: { count in try repeating(count) { take(try container.resolve(Whole3.self), 1, 2, 3) } }
    case 4: { count in try repeating(count) { take(try container.resolve(Whole4.self), 1, 2, 3, 4) } }
    case 5: { count in try repeating(count) { take(try container.resolve(Whole5.self), 1, 2, 3, 4, 5) } }
    case 6: { count in try repeating(count) { take(try container.resolve(Whole6.self), 1, 2, 3, 4, 5, 6) } }
    case 7: { count in try repeating(count) { take(try container.resolve(Whole7.self), 1, 2, 3, 4, 5, 6, 7) } }
    case 8: { count in try repeating(count) { take(try container.resolve(Whole8.self), 1, 2, 3, 4, 5, 6, 7, 8) } }
    case 9: { count in try repeating(count) { take(try container.resolve(Whole9.self), 1, 2, 3, 4, 5, 6, 7, 8, 9) } }
    case 10:
      { count in
        try repeating(count) {
          take(try container.resolve(Whole10.self), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
        }
      }
    case 11:
      { count in
        try repeating(count) {
          take(try container.resolve(Whole11.self), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
        }
      }
    case 12:
      { count in
        try repeating(count) {
          take(try container.resolve(Whole12.self), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
        }
      }
    default: preconditionFailure("no initialiser has \(parameters) parameters")
    }
  }

  /// Constructs the object with the given number of parameters in a loop.
  static func making(_ parameters: Int) -> @Sendable (_ iterations: Int) -> Void {
    switch parameters {
    case 1: { count in repeating(count) { take(plain1(), 1) } }
    case 2: { count in repeating(count) { take(plain2(), 1, 2) } }
    case 3: { count in repeating(count) { take(plain3(), 1, 2, 3) } }
    case 4: { count in repeating(count) { take(plain4(), 1, 2, 3, 4) } }
    case 5: { count in repeating(count) { take(plain5(), 1, 2, 3, 4, 5) } }
    case 6: { count in repeating(count) { take(plain6(), 1, 2, 3, 4, 5, 6) } }
    case 7: { count in repeating(count) { take(plain7(), 1, 2, 3, 4, 5, 6, 7) } }
    case 8: { count in repeating(count) { take(plain8(), 1, 2, 3, 4, 5, 6, 7, 8) } }
    case 9: { count in repeating(count) { take(plain9(), 1, 2, 3, 4, 5, 6, 7, 8, 9) } }
    case 10: { count in repeating(count) { take(plain10(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) } }
    case 11: { count in repeating(count) { take(plain11(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) } }
    case 12: { count in repeating(count) { take(plain12(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) } }
    default: preconditionFailure("no initialiser has \(parameters) parameters")
    }
  }

  // MARK: - Floors

  @inline(never)
  static func plain1() -> Whole1 { Whole1(p1: Part1()) }

  @inline(never)
  static func plain2() -> Whole2 { Whole2(p1: Part1(), p2: Part2()) }

  @inline(never)
  static func plain3() -> Whole3 { Whole3(p1: Part1(), p2: Part2(), p3: Part3()) }

  @inline(never)
  static func plain4() -> Whole4 { Whole4(p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4()) }

  @inline(never)
  static func plain5() -> Whole5 { Whole5(p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5()) }

  @inline(never)
  static func plain6() -> Whole6 {
    Whole6(p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5(), p6: Part6())
  }

  @inline(never)
  static func plain7() -> Whole7 {
    Whole7(p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5(), p6: Part6(), p7: Part7())
  }

  @inline(never)
  static func plain8() -> Whole8 {
    Whole8(p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5(), p6: Part6(), p7: Part7(), p8: Part8())
  }

  @inline(never)
  static func plain9() -> Whole9 {
    Whole9(
      p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5(), p6: Part6(), p7: Part7(), p8: Part8(),
      p9: Part9())
  }

  @inline(never)
  static func plain10() -> Whole10 {
    Whole10(
      p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5(), p6: Part6(), p7: Part7(), p8: Part8(),
      p9: Part9(), p10: Part10())
  }

  @inline(never)
  static func plain11() -> Whole11 {
    Whole11(
      p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5(), p6: Part6(), p7: Part7(), p8: Part8(),
      p9: Part9(), p10: Part10(), p11: Part11())
  }

  @inline(never)
  static func plain12() -> Whole12 {
    Whole12(
      p1: Part1(), p2: Part2(), p3: Part3(), p4: Part4(), p5: Part5(), p6: Part6(), p7: Part7(), p8: Part8(),
      p9: Part9(), p10: Part10(), p11: Part11(), p12: Part12())
  }

  // MARK: - Consumers

  // The consumers have different parameters: see Consumer.swift.

  @inline(never) @_optimize(none)
  private static func take(_ whole: borrowing Whole1, _ p1: Int) {}

  @inline(never) @_optimize(none)
  private static func take(_ whole: borrowing Whole2, _ p1: Int, _ p2: Int) {}

  @inline(never) @_optimize(none)
  private static func take(_ whole: borrowing Whole3, _ p1: Int, _ p2: Int, _ p3: Int) {}

  @inline(never) @_optimize(none)
  private static func take(_ whole: borrowing Whole4, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int) {}

  @inline(never) @_optimize(none)
  private static func take(_ whole: borrowing Whole5, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int, _ p5: Int) {}

  @inline(never) @_optimize(none)
  private static func take(
    _ whole: borrowing Whole6, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int, _ p5: Int, _ p6: Int
  ) {}

  @inline(never) @_optimize(none)
  private static func take(
    _ whole: borrowing Whole7, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int, _ p5: Int, _ p6: Int, _ p7: Int
  ) {}

  @inline(never) @_optimize(none)
  private static func take(
    _ whole: borrowing Whole8, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int, _ p5: Int, _ p6: Int, _ p7: Int, _ p8: Int
  ) {}

  @inline(never) @_optimize(none)
  private static func take(
    _ whole: borrowing Whole9, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int, _ p5: Int, _ p6: Int, _ p7: Int, _ p8: Int,
    _ p9: Int
  ) {}

  @inline(never) @_optimize(none)
  private static func take(
    _ whole: borrowing Whole10, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int, _ p5: Int, _ p6: Int, _ p7: Int, _ p8: Int,
    _ p9: Int, _ p10: Int
  ) {}

  @inline(never) @_optimize(none)
  private static func take(
    _ whole: borrowing Whole11, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int, _ p5: Int, _ p6: Int, _ p7: Int, _ p8: Int,
    _ p9: Int, _ p10: Int, _ p11: Int
  ) {}

  @inline(never) @_optimize(none)
  private static func take(
    _ whole: borrowing Whole12, _ p1: Int, _ p2: Int, _ p3: Int, _ p4: Int, _ p5: Int, _ p6: Int, _ p7: Int, _ p8: Int,
    _ p9: Int, _ p10: Int, _ p11: Int, _ p12: Int
  ) {}
}

// MARK: - The objects

final class Part1: Sendable { var weight: Int { 1 } }
final class Part2: Sendable { var weight: Int { 1 } }
final class Part3: Sendable { var weight: Int { 1 } }
final class Part4: Sendable { var weight: Int { 1 } }
final class Part5: Sendable { var weight: Int { 1 } }
final class Part6: Sendable { var weight: Int { 1 } }
final class Part7: Sendable { var weight: Int { 1 } }
final class Part8: Sendable { var weight: Int { 1 } }
final class Part9: Sendable { var weight: Int { 1 } }
final class Part10: Sendable { var weight: Int { 1 } }
final class Part11: Sendable { var weight: Int { 1 } }
final class Part12: Sendable { var weight: Int { 1 } }

final class Whole1: Sendable {
  let p1: Part1

  init(p1: Part1) {
    self.p1 = p1
  }

  var weight: Int { 1 + p1.weight }
}

final class Whole2: Sendable {
  let p1: Part1
  let p2: Part2

  init(p1: Part1, p2: Part2) {
    self.p1 = p1
    self.p2 = p2
  }

  var weight: Int { 1 + p1.weight + p2.weight }
}

final class Whole3: Sendable {
  let p1: Part1
  let p2: Part2
  let p3: Part3

  init(p1: Part1, p2: Part2, p3: Part3) {
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
  }

  var weight: Int { 1 + p1.weight + p2.weight + p3.weight }
}

final class Whole4: Sendable {
  let p1: Part1
  let p2: Part2
  let p3: Part3
  let p4: Part4

  init(p1: Part1, p2: Part2, p3: Part3, p4: Part4) {
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
    self.p4 = p4
  }

  var weight: Int { 1 + p1.weight + p2.weight + p3.weight + p4.weight }
}

final class Whole5: Sendable {
  let p1: Part1
  let p2: Part2
  let p3: Part3
  let p4: Part4
  let p5: Part5

  init(p1: Part1, p2: Part2, p3: Part3, p4: Part4, p5: Part5) {
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
    self.p4 = p4
    self.p5 = p5
  }

  var weight: Int { 1 + p1.weight + p2.weight + p3.weight + p4.weight + p5.weight }
}

final class Whole6: Sendable {
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

final class Whole7: Sendable {
  let p1: Part1
  let p2: Part2
  let p3: Part3
  let p4: Part4
  let p5: Part5
  let p6: Part6
  let p7: Part7

  init(p1: Part1, p2: Part2, p3: Part3, p4: Part4, p5: Part5, p6: Part6, p7: Part7) {
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
    self.p4 = p4
    self.p5 = p5
    self.p6 = p6
    self.p7 = p7
  }

  var weight: Int { 1 + p1.weight + p2.weight + p3.weight + p4.weight + p5.weight + p6.weight + p7.weight }
}

final class Whole8: Sendable {
  let p1: Part1
  let p2: Part2
  let p3: Part3
  let p4: Part4
  let p5: Part5
  let p6: Part6
  let p7: Part7
  let p8: Part8

  init(p1: Part1, p2: Part2, p3: Part3, p4: Part4, p5: Part5, p6: Part6, p7: Part7, p8: Part8) {
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
    self.p4 = p4
    self.p5 = p5
    self.p6 = p6
    self.p7 = p7
    self.p8 = p8
  }

  var weight: Int { 1 + p1.weight + p2.weight + p3.weight + p4.weight + p5.weight + p6.weight + p7.weight + p8.weight }
}

final class Whole9: Sendable {
  let p1: Part1
  let p2: Part2
  let p3: Part3
  let p4: Part4
  let p5: Part5
  let p6: Part6
  let p7: Part7
  let p8: Part8
  let p9: Part9

  init(p1: Part1, p2: Part2, p3: Part3, p4: Part4, p5: Part5, p6: Part6, p7: Part7, p8: Part8, p9: Part9) {
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
    self.p4 = p4
    self.p5 = p5
    self.p6 = p6
    self.p7 = p7
    self.p8 = p8
    self.p9 = p9
  }

  var weight: Int {
    let first = 1 + p1.weight + p2.weight + p3.weight + p4.weight + p5.weight + p6.weight
    return first + p7.weight + p8.weight + p9.weight
  }
}

final class Whole10: Sendable {
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

  init(p1: Part1, p2: Part2, p3: Part3, p4: Part4, p5: Part5, p6: Part6, p7: Part7, p8: Part8, p9: Part9, p10: Part10) {
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
  }

  var weight: Int {
    let first = 1 + p1.weight + p2.weight + p3.weight + p4.weight + p5.weight + p6.weight
    return first + p7.weight + p8.weight + p9.weight + p10.weight
  }
}

final class Whole11: Sendable {
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

  init(
    p1: Part1, p2: Part2, p3: Part3, p4: Part4, p5: Part5, p6: Part6, p7: Part7, p8: Part8, p9: Part9, p10: Part10,
    p11: Part11
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
  }

  var weight: Int {
    let first = 1 + p1.weight + p2.weight + p3.weight + p4.weight + p5.weight + p6.weight
    return first + p7.weight + p8.weight + p9.weight + p10.weight + p11.weight
  }
}

final class Whole12: Sendable {
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
    let first = 1 + p1.weight + p2.weight + p3.weight + p4.weight + p5.weight + p6.weight
    return first + p7.weight + p8.weight + p9.weight + p10.weight + p11.weight + p12.weight
  }
}
