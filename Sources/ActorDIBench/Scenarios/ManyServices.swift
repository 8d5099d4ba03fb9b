import ActorDI
import Synchronization

/// A service with a distinct type for each number.
protocol Numbered: Sendable {
  init()
  /// The number of the type, beginning with 1.
  static var digits: Int { get }
}

extension Numbered {
  var weight: Int { Self.digits > 0 ? 1 : 0 }
}

// The binary digits of a number, with the last digit outermost. This yields as many types as there are numbers, created on demand.
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

/// An unlimited series of types, the same in each call.
struct TypeSeries: ~Copyable {
  private let made: Mutex<[any Numbered.Type]>

  init(_ first: any Numbered.Type) {
    made = Mutex([first])
  }

  /// The first types of the series.
  func prefix(_ count: Int) -> ArraySlice<any Numbered.Type> {
    made.withLock { types in
      while types.count < count {
        // The n-th type has the binary digits of n.
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

/// Many services to register together.
enum ManyServices {
  /// The numbers of registrations that scenarios are measured with.
  static let counts = [100, 1_000, 10_000, 100_000]

  /// The part of the identity that distinguishes the services.
  enum Distinction: Sendable {
    case key
    case type
  }

  static let types = TypeSeries(Leading.self)
  /// Types that only one scenario ever uses.
  static let unusedTypes = TypeSeries(OtherLeading.self)

  /// Registrations of the given number of singletons.
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
