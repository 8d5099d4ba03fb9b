import ActorDI
import Synchronization

/// A service of which there is a type for each number.
protocol Numbered: Sendable {
  init()
  /// Which of them it is, beginning with 1.
  static var digits: Int { get }
}

extension Numbered {
  var weight: Int { Self.digits > 0 ? 1 : 0 }
}

// Digits of a number, the last one outside: as many types as there are numbers, made when they are asked for.
private struct Zero<Rest: Numbered>: Numbered {
  static var digits: Int { 2 * Rest.digits }
}
private struct One<Rest: Numbered>: Numbered {
  static var digits: Int { 2 * Rest.digits + 1 }
}
private struct Leading: Numbered {
  static var digits: Int { 1 }
}
private struct OtherLeading: Numbered {
  static var digits: Int { 1 }
}

/// Types without end, the same each time.
struct TypeSeries: ~Copyable {
  private let made: Mutex<[any Numbered.Type]>

  init(_ first: any Numbered.Type) {
    made = Mutex([first])
  }

  /// The first so many.
  func prefix(_ count: Int) -> ArraySlice<any Numbered.Type> {
    made.withLock { types in
      while types.count < count {
        // The n-th has the digits of n + 1 in base 2.
        let number = types.count + 1
        let rest = types[number / 2 - 1]
        types.append(number % 2 == 0 ? Self.zero(rest) : Self.one(rest))
      }
      return types[..<count]
    }
  }

  private static func zero<Rest: Numbered>(_ rest: Rest.Type) -> any Numbered.Type { Zero<Rest>.self }
  private static func one<Rest: Numbered>(_ rest: Rest.Type) -> any Numbered.Type { One<Rest>.self }
}

/// Many services to register beside each other.
enum ManyServices {
  /// The numbers of registrations that scenarios are measured with.
  static let counts = [100, 1_000, 10_000, 100_000]

  /// What tells the services of a registry apart.
  enum Distinction: Sendable {
    case key
    case type
  }

  static let types = TypeSeries(Leading.self)
  /// Types that nothing but one scenario ever uses.
  static let unusedTypes = TypeSeries(OtherLeading.self)

  /// Registrations of so many singletons.
  @RegistrationBuilder
  static func registrations(_ count: Int, _ distinction: Distinction) -> Registrations {
    switch distinction {
    case .key:
      for number in 0..<count {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    case .type:
      for type in types.prefix(count) { registration(type) }
    }
  }

  private static func registration<Service: Numbered>(_ type: Service.Type) -> Registrations {
    Registrations { Registration(type, scope: .singleton) { _ in Service() } }
  }
}
