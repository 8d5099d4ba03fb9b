import ActorDI
import Testing

// Not private, because the compiler did not crash on private services.
final class Cargo: Sendable {}
private struct Stays: Error {}

/// Programs that pass the typed errors of `extendScope()`, `validate()` and `shutdown()` on as `any Error`, next to other errors.
///
/// When it optimised `extend` and `closeAndPull`, the compiler crashed: see `IntegerStored`. So compiling this file is a test, too.
@Suite struct TypedErrorTests {
  @Test func aScopeThatIsExtendedInATaskGroup() async throws {
    let app = Self.app()
    #expect(try await Self.extend(app, times: 2).openScopes.isEmpty)
    try await app.shutdown()
    await #expect(throws: ResolutionError.self) { try await Self.extend(app, times: 1) }
  }

  @Test func aContainerThatIsValidatedAndShutDown() async throws {
    try await Self.closeAndPull(Self.app(), round: 3)
    await #expect(throws: ResolutionError.self, "pulls from a closed container") {
      try await Self.closeAndPull(Self.app(), round: 4)
    }
    let faulty = Container { Registration(Cargo.self) { _ in Cargo() }.dependsOn(Int.self) }
    await #expect(throws: ValidationError.self) { try await Self.closeAndPull(faulty, round: 3) }
    let stubborn = Container {
      Registration(Cargo.self, scope: .singleton) { _ in Cargo() }.onDispose { _ in throw Stays() }
    }
    _ = try Self.pull(stubborn)
    await #expect(throws: ShutdownError.self) { try await Self.closeAndPull(stubborn, round: 4) }
  }

  private static func app() -> Container {
    Container { Registration(Cargo.self, scope: .scoped) { _ in Cargo() } }
  }

  private static func pull(_ container: Container) throws -> Cargo { try container.resolve(Cargo.self) }

  private static func extend(_ app: Container, times: Int) async throws -> Container {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let scope = try await app.withScope("request") { scope in
        _ = try await scope.resolve(Cargo.self)
        for _ in 0..<times {
          let lease = try scope.extendScope()
          group.addTask { try await lease.end() }
        }
        return scope
      }
      try await group.waitForAll()
      return scope
    }
  }

  private static func closeAndPull(_ app: Container, round: Int) async throws {
    if round % 4 == 0 { try await app.shutdown() }
    if round % 3 == 0 { _ = try await app.validate() }
    _ = try pull(app)
    if round % 4 == 0 { try await app.shutdown() }
  }
}
