import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// The fast path's search by parents and links, compared with the slow path's, which records each visited container.
@Suite("Search by parents and links")
struct SearchTests {
  /// Containers with parents and links, some of which have a service.
  private final class World {
    let containers: [Container]
    private let links: [Container.Link]

    /// - Parameters:
    ///   - parents: For each container the index of its parent, which is smaller than its own; nil for none.
    ///   - links: The indices of linked containers, in the order in which the links are made.
    ///   - owners: Whether each container has the service.
    init(parents: [Int?], links: [(from: Int, to: Int)], owners: [Bool]) {
      var containers: [Container] = []
      for (index, parent) in parents.enumerated() {
        let isOwner = owners[index]
        containers.append(
          Container(name: "\(index)", parent: parent.map { containers[$0] }) {
            if isOwner { Registration(String.self) { _ in "\(index)" } }
          })
      }
      self.containers = containers
      self.links = links.map { containers[$0.from].link(containers[$0.to]) }
    }

    deinit { for link in links { link.cancel() } }

    /// What the fast path finds, and what the slow path finds.
    func found(from index: Int) -> (fast: Container?, slow: Container?) {
      let fast = containers[index].find(TypeAddress.of(String.self), nil).takeLocated()
      return (fast?.container, containers[index].locate(ServiceIdentity(String.self))?.container)
    }

    func check(_ comment: @autoclosure () -> String) {
      for index in containers.indices {
        let (fast, slow) = found(from: index)
        #expect(fast === slow, "from \(index): \(comment())")
      }
    }
  }

  @Test func theFastPathFindsWhatTheSlowPathFindsInEveryWorldOfThreeContainers() {
    let pairs = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (0, 0), (1, 1), (2, 2)]
    for parents in [[nil, nil, nil], [nil, 0, nil], [nil, nil, 0], [nil, nil, 1], [nil, 0, 0], [nil, 0, 1]] as [[Int?]]
    {
      for chosen in 0..<(1 << pairs.count) {
        let links = pairs.indices.filter { chosen >> $0 & 1 == 1 }.map { pairs[$0] }
        for owner in 1..<8 {
          let world = World(parents: parents, links: links, owners: (0..<3).map { owner >> $0 & 1 == 1 })
          world.check("\(parents) \(links) \(owner)")
        }
      }
    }
  }

  @Test func theFastPathFindsWhatTheSlowPathFindsInRandomWorlds() {
    var random = SeededGenerator(seed: 7)
    for round in 0..<4_000 {
      let count = 4 + round % 3
      let parents = (0..<count).map {
        $0 > 0 && Bool.random(using: &random) ? Int.random(in: 0..<$0, using: &random) : nil
      }
      let links = (0..<Int.random(in: 1...7, using: &random)).map { _ in
        (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
      }
      let owner = Int.random(in: 0..<count, using: &random)
      let world = World(parents: parents, links: links, owners: (0..<count).map { $0 == owner })
      world.check("\(parents) \(links) \(owner)")
    }
  }

  /// The fast path finds nothing there, and leaves the search to the slow path.
  @Test(arguments: [10, 20, 40]) func aServiceAtTheEndOfManyLinksIsFound(count: Int) throws {
    let owners = (0..<count).map { $0 == count - 1 }
    let chain = World(
      parents: .init(repeating: nil, count: count), links: (1..<count).map { ($0 - 1, $0) }, owners: owners)
    let circle = World(
      parents: .init(repeating: nil, count: count), links: (0..<count).map { ($0, ($0 + 1) % count) }, owners: owners)
    let star = World(
      parents: .init(repeating: nil, count: count), links: (1..<count).map { (0, $0) }, owners: owners)
    for world in [chain, circle, star] {
      #expect(try world.containers[0].resolve(String.self) == "\(count - 1)")
    }
  }

  @Test func aSearchAmongContainersThatAreAllLinkedEnds() throws {
    let count = 12
    let pairs = (0..<count).flatMap { from in (0..<count).filter { $0 != from }.map { (from, $0) } }
    let world = World(
      parents: .init(repeating: nil, count: count), links: pairs, owners: (0..<count).map { $0 == count - 1 })
    #expect(try world.containers[0].resolve(String.self) == "\(count - 1)")
    let error = try resolutionError { try world.containers[0].resolve(Int.self) }
    #expect(error.code == .notRegistered)
  }
}
