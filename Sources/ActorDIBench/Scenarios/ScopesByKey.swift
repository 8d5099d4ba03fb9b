import ActorDI
import Synchronization

/// P26: an operation in a scope that is opened by a key. Each task has a key of its own.
struct ScopesByKey: Scenario {
  static let name = "keyed-scopes"
  static let summary = "an operation in the open scope of a key, and the opening of a scope"

  static let lookup = "sharded dictionary, lookup"
  static let use = "sharded dictionary, counted use"
  static let opened = "container, opened and ended"

  let lanes = Lanes.tasks([])
  let expectedAnswer = Answers.leaf

  func contenders() throws -> [Contender] {
    let sessions = ShardedSessions()
    let app = Container { Registration(Leaf.self, scope: .scoped("session")) { _ in Leaf() } }
    let open = app.keyedScopes("session", idleFor: .seconds(3_600)) { (key: Int) in Registration(instance: key) }
    let brief = app.keyedScopes("session") { (key: Int) in Registration(instance: key) }
    let keys = Keys()
    let leaf = Leaf()
    return [
      Contender(
        name: Self.lookup, role: .floor,
        answer: { sessions.session(of: keys.next()).leaf.weight },
        work: .tasks { count in
          let key = keys.next()
          repeating(count) { consume(sessions.session(of: key).leaf) }
        }),
      Floors.arithmeticFromTasks(answer: Answers.leaf),
      Contender(
        name: Self.use, role: .baseline,
        answer: { await sessions.withSession(keys.next()) { $0.leaf.weight } },
        work: .tasks { count in
          let key = keys.next()
          for _ in 0..<count { await sessions.withSession(key) { consume($0.leaf) } }
        }),
      Contender(
        name: ContenderName.container, role: .container,
        answer: { try await open.withScope(keys.next()) { try await $0.resolve(Leaf.self).weight } },
        work: .tasks { count in
          let key = keys.next()
          for _ in 0..<count { try await open.withScope(key) { _ in consume(leaf) } }
        }),
      Contender(
        name: Self.opened, role: .container,
        answer: { try await brief.withScope(keys.next()) { try await $0.resolve(Leaf.self).weight } },
        work: .tasks { count in
          let key = keys.next()
          for _ in 0..<count { try await brief.withScope(key) { consume(try await $0.resolve(Leaf.self)) } }
        }),
    ]
  }

  /// Keys in turn, so that tasks of one measurement have different ones.
  private final class Keys: Sendable {
    private let last = Atomic(0)
    func next() -> Int { last.add(1, ordering: .relaxed).newValue % 256 }
  }
}
