import Testing

@testable import ActorDI

@Suite("UnspecializedSet")
struct UnspecializedSetTests {
  @Test("An insertion tells whether the element is new")
  func insert() {
    var set = UnspecializedSet<String>()
    #expect(!set.contains("a"))
    let isNew = [set.insert("a"), set.insert("a")]
    #expect(isNew == [true, false])
    #expect(set.contains("a"))
    #expect(!set.contains("b"))
  }

  @Test("A copy does not see later insertions")
  func isAValue() {
    var set = UnspecializedSet<Int>()
    for number in 0..<100 { set.insert(number) }
    let copy = set
    set.insert(100)
    #expect(set.contains(100) && !copy.contains(100))
    #expect((0..<100).allSatisfy(copy.contains))
  }
}
