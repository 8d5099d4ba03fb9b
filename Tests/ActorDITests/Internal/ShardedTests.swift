import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// Values in cache lines of their own.
@Suite("Sharded values")
struct ShardedTests {
  private final class Item: Sendable {}

  @Test func elementsAreMadeAtTheFirstUse() {
    let made = Counter()
    let sharded = Sharded<Lock<Int>>()
    #expect(sharded.borrow(at: 0) { $0.withLock { $0 } } == nil)
    #expect(sharded.map { $0.withLock { $0 } }.isEmpty)
    for index in 0..<shardCount {
      let known = sharded.borrow(
        at: index,
        orMake: {
          made.increment()
          return Lock(7)
        }
      ) { element in
        element.withLock { value in
          value += index
          return value
        }
      }
      #expect(known == 7 + index)
    }
    #expect(made.count == shardCount)
    #expect(sharded.map { $0.withLock { $0 } } == Array(7..<7 + shardCount))
  }

  @Test func elementsShareNoPairOfCacheLines() {
    let sharded = Sharded<Lock<Int>>()
    let pairs = (0..<shardCount).map { index in
      sharded.borrow(at: index, orMake: { Lock(0) }) { element in
        unsafe withUnsafePointer(to: element) { UInt(bitPattern: $0) / 128 }
      }
    }
    #expect(Set(pairs).count == shardCount)
  }

  @Test func threadsThatBeginTogetherGetOneSetOfElements() async {
    for _ in 0..<200 {
      let owner = Owner()
      let seen = Shelf<Set<ObjectIdentifier>>([])
      await withTaskGroup(of: Item.self) { group in
        for _ in 0..<4 { group.addTask { owner.item } }
        for await item in group { seen.value.insert(ObjectIdentifier(item)) }
      }
      #expect(seen.value.count == 1)
    }
  }

  @Test func elementsEndWithTheirOwner() {
    weak var item: Item?
    do {
      let owner = Owner()
      item = owner.item
      #expect(item != nil)
      withExtendedLifetime(owner) {}
    }
    #expect(item == nil)
  }

  private final class Owner: Sendable {
    private let items = Sharded<LazyReference<Item>>()
    var item: Item {
      items.borrow(at: 3, orMake: { LazyReference() }) { reference in reference.load() ?? reference.storeIfNil(Item()) }
    }
  }
}
