import ActorDITesting
import Foundation
import Testing

@testable import ActorDI

// snippet: testing tokens
extension ServiceKey where Service == any Clock<Duration> {
  static var clock: Self { Self("clock") { Registration(instance: ContinuousClock()) } }
}
extension ServiceKey where Service == @Sendable () -> Date {
  static var date: Self { Self("date") { Registration(instance: { Date() }) } }
}
extension ServiceKey where Service == @Sendable () -> String {
  static var newID: Self { Self("newID") { Registration(instance: { UUID().uuidString }) } }
}
extension ServiceKey where Service == any RandomNumberGenerator & Sendable {
  static var random: Self {
    Self("random") { Registration(instance: SystemRandomNumberGenerator()) }
  }
}
// end

/// The second part of the article "Testing".
@Suite("Testing: time, dates, identifiers and randomness", .timeLimit(.minutes(5)))
struct TestingArticleValues {
  // snippet: testing till
  struct Receipt: Equatable {
    let id: String
    let date: Date
    let prize: Int
  }

  struct Till: Sendable {
    @Injected(.clock) var clock
    @Injected(.date) var date
    @Injected(.newID) var newID
    @Injected(.random) var random

    func checkOut() async throws -> Receipt {
      try await clock.sleep(for: .seconds(2))  // the printer warms up
      var random = random
      let prize = Int.random(in: 1...100, using: &random)
      return Receipt(id: newID(), date: date(), prize: prize)
    }
  }
  // end

  // snippet: testing values
  @Test(
    .container {
      Registration(instance: CountingIDs.uuidStrings().next).key(.newID)
      Registration(instance: SeededGenerator(seed: 7)).key(.random)
    })
  func checkingOutTakesTwoSeconds() async throws {
    let clock = ManualClock()
    let date = ManualValue(Date(timeIntervalSince1970: 0))
    try await Container.current.register {
      Registration(instance: clock).key(.clock)
      Registration(instance: date.read).key(.date)
    }
    async let receipt = Till().checkOut()
    try await clock.waitForSleepers()
    date.value += 2
    clock.advance(by: .seconds(2))
    let expected = Receipt(
      id: CountingIDs.uuidString(1), date: Date(timeIntervalSince1970: 2), prize: 39)
    #expect(try await receipt == expected)
  }
  // end

  @Test func theDefaultsAreTheProgramsOwn() throws {
    let container = Container()
    #expect(try container.resolve(.clock) is ContinuousClock)
    #expect(try container.resolve(.date)().timeIntervalSince1970 > 0)
    #expect(try container.resolve(.newID)() != container.resolve(.newID)())
    #expect(try container.resolve(.random) is SystemRandomNumberGenerator)
  }

  @Test(
    .container {
      let clock = ManualClock()
      Registration(instance: clock).key(.clock)
      Registration(autowired: .date) { { Date(timeIntervalSince1970: clock.now.elapsed / .seconds(1)) } }
    })
  func aDateCanFollowTheClock() async throws {
    let container = Container.current
    let clock = try #require(try await container.resolve(.clock) as? ManualClock)
    let date = try await container.resolve(.date)
    clock.advance(by: .milliseconds(1500))
    #expect(date() == Date(timeIntervalSince1970: 1.5))
  }
}
