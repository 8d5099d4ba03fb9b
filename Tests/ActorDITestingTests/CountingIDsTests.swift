import ActorDITesting
import Foundation
import Testing

struct CountingIDsTests {
  @Test func identifiersAreCountedUpFromOne() {
    let numbers = CountingIDs { $0 }
    let names = CountingIDs { "order-\($0)" }
    #expect((1...3).map { _ in numbers.next() } == [1, 2, 3])
    #expect((1...2).map { _ in names.next() } == ["order-1", "order-2"])
  }

  @Test func tasksGetDifferentIdentifiers() async {
    let numbers = CountingIDs { $0 }
    let all = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<1_000 { group.addTask { numbers.next() } }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(all == Set(1...1_000))
  }

  @Test(arguments: [
    (1, "00000000-0000-0000-0000-000000000001"), (10, "00000000-0000-0000-0000-00000000000A"),
    (0, "00000000-0000-0000-0000-000000000000"), (.max, "00000000-0000-0000-7FFF-FFFFFFFFFFFF"),
    (-1, "00000000-0000-0000-FFFF-FFFFFFFFFFFF"),
  ])
  func aNumberHasTheFormOfAUUID(number: Int, text: String) throws {
    #expect(CountingIDs.uuidString(number) == text)
    let uuid = try #require(UUID(uuidString: text))
    #expect(uuid.uuidString == text)
  }

  @Test func uuidStringsAreCounted() {
    let ids = CountingIDs.uuidStrings()
    #expect((1...2).map { _ in ids.next() } == (1...2).map { CountingIDs.uuidString($0) })
  }
}
