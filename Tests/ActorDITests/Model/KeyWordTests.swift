import Testing

@testable import ActorDI

@Suite("Key words")
struct KeyWordTests {
  private static let highest: UInt = 1 << (UInt.bitWidth - 1)

  @Test func theWordOfAHashHasItsHighestBitSet() {
    for number in 0..<1_000 {
      #expect(KeyWord.hash(number) & Self.highest != 0)
      #expect(KeyWord.hash("\(number)") & Self.highest != 0)
      #expect(KeyWord.hash(number) == KeyWord.hash(number))
    }
    #expect(Set((0..<1_000).map { KeyWord.hash($0) }).count > 990)
  }

  @Test func theWordOfALiteralIsItsAddressAndLength() {
    func word() -> UInt { KeyWord.literal("one literal") }
    #expect(word() == word())
    #expect(word() != 0)
    #expect(word() & Self.highest == 0)
    #expect(KeyWord.literal("another") != word())
    #expect(KeyWord.literal("one literal, and more") != word())
  }

  @Test func theWordOfATokenIsThatOfItsLiteral() {
    #expect(ServiceKey<Probe>("name").literalWord != 0)
    #expect(ServiceKey<Probe>(12).literalWord == 0)
    let text = "na" + "me"
    #expect(ServiceKey<Probe>(text).literalWord == 0)
    #expect(ServiceKey<Probe>("name").key == TypedKey(text))
    #expect(ServiceKey<Probe>(text).key == TypedKey("name"))
  }

  @Test func keysWithEqualWordsCanDiffer() {
    struct Clash: Hashable, Sendable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    let (one, other) = (TypedKey(Clash(number: 1)), TypedKey(Clash(number: 2)))
    #expect(one.word == other.word)
    #expect(one as Key != other as Key)
    #expect(one as Key == TypedKey(Clash(number: 1)) as Key)
    #expect(TypedKey(1) as Key != TypedKey(UInt(1)) as Key)
    #expect(TypedKey("a") as Key != TypedKey(Character("a")) as Key)
  }

  @Test func aKeyIsDescribedAsWritten() {
    #expect(TypedKey("a").description == "\"a\"")
    #expect(TypedKey(1).description == "1")
    #expect(TypedKey(Scope.graph).description == "graph")
  }
}
