import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// `@unchecked Sendable` like its superclass, since the fields that it adds are immutable.
private final class Link: LinkedElement, @unchecked Sendable {
  let number: Int
  let token: ObjectLifetime.Token?
  init(_ number: Int, _ token: ObjectLifetime.Token? = nil) {
    self.number = number
    self.token = token
  }
}

@Suite("Linked list")
struct LinkedListTests {
  /// Removes all elements, the last one first.
  private func takeAll(of list: inout LinkedList<Link>) -> [Link] {
    var elements: [Link] = []
    while let element = list.popLast() { elements.append(element) }
    return elements
  }

  @Test func aListKeepsTheOrderOfAddition() {
    var list = LinkedList<Link>()
    #expect(list.isEmpty && list.all.isEmpty)
    for number in 0..<3 { list.append(Link(number)) }
    #expect(list.all.map(\.number) == [0, 1, 2] && !list.isEmpty)
  }

  /// Removes four elements in every possible order.
  @Test func removeTakesAnElementFromAnyPosition() {
    for order in permutations(of: [0, 1, 2, 3]) {
      var list = LinkedList<Link>()
      let elements = (0..<4).map { Link($0) }
      for element in elements { list.append(element) }
      var rest = [0, 1, 2, 3]
      for number in order {
        let isRemoved = list.remove(elements[number]) != nil
        rest.removeAll { $0 == number }
        #expect(isRemoved && list.all.map(\.number) == rest && list.isEmpty == rest.isEmpty)
        #expect(!elements[number].isListed)
        let isRemovedAgain = list.remove(elements[number]) != nil
        #expect(!isRemovedAgain, "The element is no longer listed")
      }
      // The emptied list can be used again.
      list.append(elements[2])
      list.append(elements[0])
      #expect(list.all.map(\.number) == [2, 0])
    }
  }

  @Test func removingAnUnlistedElementReturnsNil() {
    var list = LinkedList<Link>()
    let isRemoved = list.remove(Link(1)) != nil
    #expect(!isRemoved)
  }

  @Test func popLastReturnsTheElementsLastFirst() {
    var list = LinkedList<Link>()
    let elements = (0..<5).map { Link($0) }
    for element in elements { list.append(element) }
    #expect(takeAll(of: &list).map(\.number) == [4, 3, 2, 1, 0], "The last one first")
    #expect(list.isEmpty && list.all.isEmpty && elements.allSatisfy { !$0.isListed })
    #expect(takeAll(of: &list).isEmpty)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
  func aListBehavesLikeAnArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var list = LinkedList<Link>()
    var model: [Link] = []
    var outside = (0..<24).map { Link($0) }
    for step in 0..<2000 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<10:
        guard let index = outside.indices.randomElement(using: &random) else { continue }
        let element = outside.remove(at: index)
        list.append(element)
        model.append(element)
      case 10..<17:
        guard let index = model.indices.randomElement(using: &random) else { continue }
        let element = model.remove(at: index)
        let isRemoved = list.remove(element) != nil
        #expect(isRemoved, "seed \(seed), step \(step)")
        outside.append(element)
      case 17..<19:
        guard let element = outside.randomElement(using: &random) else { continue }
        let isRemoved = list.remove(element) != nil
        #expect(!isRemoved, "seed \(seed), step \(step)")
      default:
        let all = takeAll(of: &list)
        #expect(all.elementsEqual(model.reversed(), by: ===), "seed \(seed), step \(step)")
        outside += all
        model = []
      }
      #expect(list.all.elementsEqual(model, by: ===), "seed \(seed), step \(step)")
      #expect(list.isEmpty == model.isEmpty && model.allSatisfy(\.isListed) && !outside.contains(where: \.isListed))
    }
  }

  @Test func aListReleasesRemovedElements() {
    let lifetimes = (0..<3).map { _ in ObjectLifetime() }
    var list = LinkedList<Link>()
    for (number, lifetime) in lifetimes.enumerated() { list.append(Link(number, lifetime.token())) }
    #expect(lifetimes.map(\.hasEnded) == [false, false, false])
    _ = list.all.first.map { list.remove($0) }
    #expect(lifetimes.map(\.hasEnded) == [true, false, false])
    list = LinkedList()
    #expect(lifetimes.map(\.hasEnded) == [true, true, true])
  }

  @Test func freeingALongListDoesNotRecurse() {
    let lifetime = ObjectLifetime()
    do {
      var list = LinkedList<Link>()
      for number in 0..<300_000 { list.append(Link(number)) }
      list.append(Link(-1, lifetime.token()))
    }
    #expect(lifetime.hasEnded)
  }

  private func permutations(of elements: [Int]) -> [[Int]] {
    guard !elements.isEmpty else { return [[]] }
    return elements.flatMap { first in
      permutations(of: elements.filter { $0 != first }).map { [first] + $0 }
    }
  }
}
