import Testing

@testable import ActorDI

/// Each function of the module must return what the standard library's does, which slices still have.
@Suite("Array functions compiled once")
struct ArrayUnspecializedTests {
  @Test(arguments: [[], [1], [2], [1, 2], [2, 1], [3, 1, 2, 1], Array(0..<100)])
  func returnsWhatTheStandardLibraryReturns(numbers: [Int]) {
    let slice = numbers[...]
    let isOdd = { (number: Int) in !number.isMultiple(of: 2) }
    let half = { (number: Int) -> Int? in number.isMultiple(of: 2) ? number / 2 : nil }
    let copies = { (number: Int) -> [String] in [String](repeating: "\(number)", count: number % 3) }
    #expect(numbers.map { "\($0)" } == slice.map { "\($0)" })
    #expect(numbers.compactMap(half) == slice.compactMap(half))
    #expect(numbers.flatMap(copies) == slice.flatMap(copies))
    #expect(numbers.filter(isOdd) == slice.filter(isOdd))
    #expect(numbers.reversed() as [Int] == slice.reversed() as [Int])
    #expect(numbers.first(where: isOdd) == slice.first(where: isOdd))
    #expect(numbers.firstIndex(where: isOdd) == slice.firstIndex(where: isOdd))
    #expect(numbers.contains(where: isOdd) == slice.contains(where: isOdd))
    #expect(numbers.allSatisfy(isOdd) == slice.allSatisfy(isOdd))
  }

  @Test(arguments: [[], [1], [2, 1], Array(0..<100)], [[], [5], [6, 7, 8]])
  func joinsAsTheStandardLibraryDoes(numbers: [Int], others: [Int]) {
    let expected = Array([numbers, others].joined())
    #expect(numbers + others == expected)
    var joined = numbers
    joined += others
    #expect(joined == expected)
    var appended = numbers
    appended.append(contentsOf: others)
    #expect(appended == expected)
    #expect(numbers.count + others.count == expected.count, "an operand has changed")
  }

  @Test func anArrayCanBeAppendedToItself() {
    var numbers = [1, 2, 3]
    numbers += numbers
    #expect(numbers == [1, 2, 3, 1, 2, 3])
  }
}
