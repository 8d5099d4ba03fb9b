import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Key words")
struct KeyWordTests {
  private static let highest: UInt = 1 << (UInt.bitWidth - 1)

  @Test func theWordOfAHashHasItsHighestBitSet() {
    for number in 0..<1_000 {
      #expect(KeyWord.hash(number) & Self.highest != 0)
      #expect(KeyWord.hash("\(number)") & Self.highest != 0)
      #expect(KeyWord.hash("\(number) ö") & Self.highest != 0)
      #expect(KeyWord.hash(number) == KeyWord.hash(number))
    }
    #expect(Set((0..<1_000).map { KeyWord.hash($0) }).count > 990)
  }

  @Test func aLiteralHasTheWordOfItsText() {
    let literals: [StaticString] = [
      "", "a", "one", "seven 7", "eight 88", "nine 999", "fifteen letters", "sixteen letters!", "seventeen letters",
      "a text of more than twice sixteen letters, which takes several steps",
    ]
    for literal in literals {
      #expect(KeyWord.hash(literal: literal) & Self.highest != 0)
      #expect(KeyWord.hash(literal: literal) == KeyWord.hash(literal.description))
    }
    #expect(Set(literals.map { KeyWord.hash(literal: $0) }).count == literals.count)
    // A literal of other characters has no word of its own, and is hashed as a string.
    #expect(KeyWord.hash(literal: "größe") == 0)
    #expect(KeyWord.hash("größe") != 0)
  }

  @Test func textsThatDifferInOneLetterOrInOrderHaveDifferentWords() {
    var texts: Set<String> = []
    for length in 1...40 {
      let text = [Character](repeating: "x", count: length)
      texts.insert(String(text))
      for index in 0..<length {
        var other = text
        other[index] = "y"
        texts.insert(String(other))
      }
    }
    for number in 0..<20_000 { texts.insert("service.\(number).endpoint") }
    #expect(Set(texts.map { KeyWord.hash($0) }).count == texts.count)
  }

  @Test func equalStringsHaveEqualWords() {
    #expect(KeyWord.hash("e\u{301}") == KeyWord.hash("\u{e9}"))
    // Each character that is equal to an ASCII one.
    let ascii = Dictionary(uniqueKeysWithValues: (0..<128).map { (String(Unicode.Scalar(UInt8($0))), $0) })
    var others = 0
    for scalar in (UInt32(128)...0x10FFFF).compactMap(Unicode.Scalar.init) {
      let text = String(scalar)
      guard let code = ascii[text] else { continue }
      others += 1
      let equal = String(Unicode.Scalar(UInt8(code)))
      #expect(KeyWord.hash("a \(text)") == KeyWord.hash("a \(equal)"))
    }
    #expect(others == 3)
  }

  @Test func aTokenHasTheKeyOfItsText() {
    let text = "na" + "me"
    #expect(ServiceKey<Probe>("name").key == Key.of(text))
    #expect(ServiceKey<Probe>(text).key == Key.of("name"))
    #expect(ServiceKey<Probe>("größe").key == Key.of("gro\u{308}ße"))
    #expect(ServiceKey<Probe>(12).key == Key.of(12))
  }

  @Test func aTokenFindsAndIsFoundByTheStringOfItsText() throws {
    let literal = ServiceKey<Probe>("a name that is long enough to need memory of its own")
    let text = "a name that is long enough " + "to need memory of its own"
    let other = ServiceKey<Probe>("größe")
    let byToken = Container {
      Registration(instance: Probe()).key(literal)
      Registration(instance: Probe()).key(other)
    }
    #expect(try byToken.resolve(Probe.self, key: text) === byToken.resolve(literal))
    #expect(try byToken.resolve(Probe.self, key: "gro\u{308}ße") === byToken.resolve(other))
    let byText = Container {
      Registration(instance: Probe()).key(text)
      Registration(instance: Probe()).key("gro\u{308}ße")
      Registration(instance: Probe()).key(7)
    }
    #expect(try byText.resolve(literal) === byText.resolve(Probe.self, key: text))
    #expect(try byText.resolve(other) === byText.resolve(Probe.self, key: "größe"))
    #expect(!byText.contains(ServiceKey<Probe>("a name")))
    let child = byText.makeChild { Registration(instance: Probe()).key(8) }
    #expect(try child.resolve(literal) === byText.resolve(Probe.self, key: text))
    #expect(try child.resolve(other) === byText.resolve(Probe.self, key: "größe"))
  }

  /// Equal words do not suffice.
  @Test func aLookupByATokenComparesTheText() throws {
    let container = Container {
      Registration(instance: Probe()).key("one")
      Registration(instance: Probe()).key(ServiceKey<Probe>("two"))
      Registration(instance: Probe()).key(3)
      Registration(instance: Probe())
    }
    let bindings = container.ownBindings(of: Probe.self)
    let matches = bindings.map { binding in
      ["one", "two", "on", "3", ""].map { (text: StaticString) in Binding.hasKey(binding.found, text) }
    }
    #expect(matches[0] == [true, false, false, false, false])
    #expect(matches[1] == [false, true, false, false, false])
    #expect(matches[2] == [false, false, false, false, false])
    #expect(matches[3] == [false, false, false, false, false])
  }

  /// A child's own keys hide none of its parent's, whether the child has keys of the service or not.
  @Test func aTokenIsFoundBehindOtherKeysOfTheService() throws {
    let parent = Container { Registration(instance: Probe()).key(ServiceKey<Probe>("one")) }
    let child = parent.makeChild {
      Registration(instance: Probe()).key(ServiceKey<Probe>("two"))
      Registration(instance: Probe())
    }
    let inherited = try child.resolve(ServiceKey<Probe>("one"))
    #expect(try inherited === parent.resolve(ServiceKey<Probe>("one")))
    #expect(try child.resolve(ServiceKey<Probe>("two")) !== inherited)
    #expect(!parent.contains(ServiceKey<Probe>("two")))
    let found = child.find(ServiceKey<Probe>("one"), nil)
    #expect(found.isKept, "The fast path finds the instance.")
    #expect(found.hit(Probe.self) === inherited)
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
    #expect(Key.of("a") != Key.of(Character("a")))
    #expect(Key.of("a") != Key.of("a" as Substring))
  }

  @Test func aKeyIsDescribedWithItsType() {
    #expect(Key.of("a")?.description == "\"a\"")
    #expect(TypedKey(1).description == "Int(1)")
    #expect(TypedKey(Scope.graph).description == "Scope(graph)")
  }
}
