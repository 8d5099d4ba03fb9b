import ActorDIMacros
import Testing

private final class Uploads: Sendable {
  let store: any Store

  @InjectedParameters init(store: any Store) { self.store = store }

  @InjectedParameters(ignoring: "file")
  func upload(file: String, to store: any Store, @Key("replica") other: any Store) -> String {
    "\(file) \(store.name) \(other.name)"
  }

  @InjectedParameters
  func half(_ half: Double, @Argument times: Int = 2, @UseDefault plus: Int = 1) async -> Double {
    half * Double(times) + Double(plus)
  }

  @InjectedParameters(ignoring: "value", "change")
  static func add<Value: AdditiveArithmetic>(_ value: inout Value, change: @autoclosure () -> Value, number: Int) -> Int
  {
    value += change()
    return number
  }
}

private struct Sheet: Sendable {
  let number: Int

  @InjectedParameters init?(_ number: Int, @Argument limit: Int) async throws(Failure) {
    if number == 0 { throw Failure() }
    if number > limit { return nil }
    self.number = number
  }
}

@MainActor private struct Page {
  @InjectedParameters mutating func show(store: any Store) -> String { store.name }
}

@InjectedParameters @MainActor func number(container: Container, _ number: Int) -> Int { number }

@Suite("@InjectedParameters")
struct InjectedParametersTests {
  private let container = Container { services }

  private func now(_ uploads: Uploads) throws -> String { try uploads.upload(file: "a", from: container) }

  @Test func resolvesFromTheGivenContainerOrTheCurrentOne() async throws {
    let uploads = try Uploads(from: container)
    #expect(try now(uploads) == "a memory replica")
    let current = try Container.withCurrent(container) { try Uploads() }
    #expect(current.store.name == "memory")
    let error = #expect(throws: ResolutionError.self) { try uploads.upload(file: "a", from: Container()) }
    #expect(error?.code == .notRegistered)
  }

  @Test func keepsTheEffectsAndTheOtherParameters() async throws {
    let uploads = Uploads(store: MemoryStore())
    #expect(try await uploads.half(from: container) == 2)
    #expect(try await uploads.half(times: 4, from: container) == 3)
    var value = 1.5
    #expect(try Uploads.add(&value, change: 2.0, from: container) == 7)
    #expect(value == 3.5)
    #expect(try await Sheet(limit: 9, from: container)?.number == 7)
    #expect(try await Sheet(limit: 6, from: container) == nil)
    #expect(try await number(from: container) == 7)
  }
}
