import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

extension ServiceKey where Service == Probe {
  fileprivate static var tokenKeyed: Self { .init("tokenKeyed") }
}

/// Overrides in force for another task do not affect this one.
struct SlowPathTests {
  private let container = Container {
    Registration(Probe.self, scope: .singleton) { _ in Probe("plain") }
      .implements((any Sendable).self) { $0 }
    Registration(Probe.self, scope: .singleton) { _ in Probe("keyed") }.key("key")
    Registration(.tokenKeyed, scope: .singleton) { _ in Probe("token") }
    Registration(Probe.self, scope: .singleton) { (_, name: String) in Probe(name) }
    Registration(Probe.self, scope: .singleton) { (_, name: String) in Probe(name) }.key("key")
    Registration(Alpha.self, scope: .shared) { _ in Alpha() }
    Registration(Root.self) { _ in Root() }
  }

  /// Resolves each service in each form.
  private func everything(_ handle: Provider<Probe>) throws -> [ObjectIdentifier] {
    let plain = try container.resolve(Probe.self)
    let instances: [AnyObject] = [
      plain,
      try container.resolve((any Sendable).self) as AnyObject,
      try container.resolve(Probe.self, key: "key"),
      try container.resolve(.tokenKeyed),
      try container.resolve(Probe.self, arguments: "argument"),
      try container.resolve(Probe.self, key: "key", arguments: "argument"),
      try container.resolveAny(Probe.self) as AnyObject,
      try container.resolveAny(Probe.self, key: "key") as AnyObject,
      try handle(),
      try container.withResolved(Probe.self) { copy $0 },
      try container.withResolved(Probe.self, key: "key") { copy $0 },
      try container.withResolved(.tokenKeyed) { copy $0 },
      container.resolveIfReady(Probe.self) as AnyObject,
      try container.resolve([Probe].self)[0],
      try container.resolve(Probe?.self) as AnyObject,
    ]
    return instances.map(ObjectIdentifier.init)
  }

  @Test func theSlowPathFindsTheSameInstances() throws {
    let handle = container.provider(for: Probe.self)
    let alpha = try container.resolve(Alpha.self)
    let before = try everything(handle)
    Reclaimer.shared.forceSlowPath(true)
    defer { Reclaimer.shared.forceSlowPath(false) }
    #expect(try everything(handle) == before)
    #expect(try container.resolve(Alpha.self) === alpha)
    #expect(try container.resolve(Root.self) !== container.resolve(Root.self))
  }

  @Test func theSlowPathFindsTheSameInstancesAsynchronously() async throws {
    let before = try await container.resolve(Probe.self)
    Reclaimer.shared.forceSlowPath(true)
    defer { Reclaimer.shared.forceSlowPath(false) }
    #expect(try await container.resolve(Probe.self) === before)
    #expect(try await container.resolve(Root.self) !== container.resolve(Root.self))
  }

  @Test func theFastPathFindsKeptInstancesWhileOtherThreadsTakeTheSlowPath() async throws {
    _ = try await container.resolve(Probe.self)
    // The new thread registers its record while the slow path is forced.
    Reclaimer.shared.forceSlowPath(true)
    let found = try await onThread { [container] in
      let found = container.lookUp(TypeAddress.of(Probe.self), keyWord: 0) { _ in true }
      found.record.unpin()
      return found.isKept
    }
    Reclaimer.shared.forceSlowPath(false)
    #expect(found)
  }

  @Test func theFastPathFindsNothingInATaskWithOverrides() async throws {
    _ = try await container.resolve(Probe.self)
    try await container.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
    } operation: { () async throws in
      let found = sync {
        let found = container.lookUp(TypeAddress.of(Probe.self), keyWord: 0) { _ in true }
        found.record.unpin()
        return found.binding
      }
      #expect(found == .unsure)
    }
  }

  @Test func theSlowPathStaysForcedUntilTheLastRequestEnds() async throws {
    Reclaimer.shared.forceSlowPath(true)
    Reclaimer.shared.forceSlowPath(true)
    Reclaimer.shared.forceSlowPath(false)
    let isMarked = try await onThread {
      ThreadRecordPointer.current.pointee.flags.load(ordering: .relaxed) & ThreadRecord.overridden != 0
    }
    Reclaimer.shared.forceSlowPath(false)
    #expect(isMarked)
  }

  @Test func aThreadRecordsItsBuildsUntilTheyEnd() async throws {
    let seen = Journal<Bool>()
    let container = Container {
      Registration(Beta.self, scope: .singleton) { r in
        seen.note(ThreadRecordPointer.current.isRecording)
        return try Beta(alpha: r.resolve())
      }
      Registration(Alpha.self, scope: .singleton) { _ in
        seen.note(ThreadRecordPointer.current.isRecording)
        return Alpha()
      }
      Registration(Probe.self, scope: .singleton) { r in
        _ = try? r.resolve(Leaf.self)
        seen.note(ThreadRecordPointer.current.isRecording)
        throw Boom()
      }
      Registration(Leaf.self, scope: .singleton) { _ in throw Boom() }
    }
    let isLeft = try await onThread {
      _ = try container.resolve(Beta.self)
      _ = try? container.resolve(Probe.self)
      return ThreadRecordPointer.current.isRecording
    }
    #expect(seen.entries == [true, true, true])
    #expect(!isLeft)
  }
}
