import ActorDITesting
import Testing

struct SeededGeneratorTests {
  /// The published test vector of SplitMix64.
  private let numbers: [UInt64] = [
    6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
    16_408_922_859_458_223_821,
  ]

  @Test func theSeedDeterminesTheNumbers() {
    let random = SeededGenerator(seed: 1_234_567)
    #expect(numbers.map { _ in random.next() } == numbers)
    #expect(SeededGenerator(seed: 0).next() != SeededGenerator(seed: 1).next())
  }

  @Test func theStandardLibraryDrawsFromIt() {
    func draw() -> [Int] {
      var random = SeededGenerator(seed: 7)
      return (0..<20).map { _ in Int.random(in: 1...6, using: &random) } + (0..<20).shuffled(using: &random)
    }
    #expect(draw() == draw())
  }

  @Test func copiesContinueOneSequence() {
    let random: any RandomNumberGenerator & Sendable = SeededGenerator(seed: 1_234_567)
    var (first, second) = (random, random)
    let drawn = [first.next(), second.next(), first.next()]
    #expect(drawn == Array(numbers.prefix(3)))
  }

  @Test func tasksDrawDifferentNumbersOfOneSequence() async {
    let (shared, alone) = (SeededGenerator(seed: 3), SeededGenerator(seed: 3))
    let drawn = await withTaskGroup(of: UInt64.self) { group in
      for _ in 0..<1_000 { group.addTask { shared.next() } }
      return await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
    }
    #expect(drawn == Set((0..<1_000).map { _ in alone.next() }))
  }
}
