import ActorDI
import Testing

/// Counts creations and disposals, in constant memory, since a soak runs for hours.
final class SoakAccounts: Sendable {
  private let (opened, closed, freed) = (Counter(), Counter(), Counter())

  func open() { opened.increment() }
  func close() { closed.increment() }
  func free() { freed.increment() }

  var made: Int { opened.value }
  var undisposed: Int { made - closed.value }
  var live: Int { made - freed.value }
}

/// A disposable service.
private final class SoakAsset: Disposable {
  private let accounts: SoakAccounts
  private let ends = Counter()
  let parts: [any AnyObject & Sendable]

  init(_ accounts: SoakAccounts, _ parts: (any AnyObject & Sendable)...) {
    (self.accounts, self.parts) = (accounts, parts)
    accounts.open()
  }

  deinit { accounts.free() }

  func dispose() async throws {
    if ends.increment() == 0 { accounts.close() } else { complain("an instance was disposed of twice") }
  }
}

/// A service that is not disposable.
private final class Plain: Sendable {
  private let accounts: SoakAccounts
  init(_ accounts: SoakAccounts) {
    self.accounts = accounts
    accounts.open()
  }
  deinit { accounts.free() }
}

private struct Planned: Error {}

/// A container with services of all kinds, and random operations on it.
final class SoakWorld: Sendable {
  let accounts = SoakAccounts()
  let scopes = Counter()
  private let plain = SoakAccounts()
  private let app = Lock<Container?>(nil)
  private let period = ManagedScope("period")
  private let attempts = Counter()

  /// The kinds that only short-lived containers resolve. An instance that is not kept is disposed of with the container that built it.
  private static let shortLivedKinds = 10..<12
  private static let kinds = 12

  init() {
    let app = Container(name: "app") {
      for kind in 0..<Self.kinds { self.registration(kind) }
      Registration(Plain.self, scope: .shared) { _ in Plain(self.plain) }
    }
    self.app.withLock { $0 = app }
  }

  var built: Int { accounts.made + plain.made }
  var live: Int { accounts.live + plain.live }

  /// Closes the container, and releases it.
  func end() async {
    let app = app.withLock { app in
      defer { app = nil }
      return app
    }
    await expectNoError { try await app?.shutdown() }
    await period.invalidate()
    // Late disposals run in the background.
    for _ in 0..<100_000 where accounts.undisposed > 0 || live > 0 { await Task.yield() }
  }

  private func registration(_ kind: Int) -> Registration<SoakAsset> {
    registrationWithoutKey(kind).key(kind)
  }

  private func registrationWithoutKey(_ kind: Int) -> Registration<SoakAsset> {
    let (accounts, attempts) = (accounts, attempts)
    let service = SoakAsset.self
    return switch kind {
    case 0: Registration(service, scope: .singleton) { _ in SoakAsset(accounts) }
    case 1:
      Registration(service, scope: .singleton) { r in
        await Task.yield()
        return SoakAsset(accounts, try await r.resolve(SoakAsset.self, key: 0))
      }
    case 2: Registration(service, scope: .scoped) { _ in SoakAsset(accounts) }
    case 3:
      Registration(service, scope: .scoped) { r in
        await Task.yield()
        return SoakAsset(accounts, try await r.resolve(SoakAsset.self, key: 2))
      }
    case 4: Registration(service, scope: .singleton) { r in SoakAsset(accounts, try r.resolve(Plain.self)) }
    case 5: Registration(service, scope: .managed(by: period)) { r in SoakAsset(accounts, try r.resolve(Plain.self)) }
    case 6:
      // Some builds fail, in the factory or in the hook.
      Registration(service, scope: .singleton) { _ in
        if attempts.increment().isMultiple(of: 4) { throw Planned() }
        return SoakAsset(accounts)
      }
      .onCreated { _, _ in if attempts.increment().isMultiple(of: 4) { throw Planned() } }
    case 7:
      Registration(service, scope: .singleton) { _ in
        for _ in 0..<20 {
          try Task.checkCancellation()
          await Task.yield()
        }
        return SoakAsset(accounts)
      }
    // The hooks of these two resolve each other.
    case 8:
      Registration(service, scope: .singleton) { _ in SoakAsset(accounts) }
        .onCreated { _, r in _ = try r.resolve(SoakAsset.self, key: 9) }
    case 9:
      Registration(service, scope: .singleton) { _ in SoakAsset(accounts) }
        .onCreated { _, r in _ = try r.resolve(SoakAsset.self, key: 8) }
    case 10:
      Registration(service, scope: .transient) { r in SoakAsset(accounts, try r.resolve(SoakAsset.self, key: 2)) }
    default: Registration(service, scope: .pooled(max: 2)) { _ in SoakAsset(accounts) }
    }
  }

  // MARK: Operations

  func act(_ random: inout SeededRandom) async {
    guard let app = app.withLock({ $0 }) else { return }
    let kind = Int.random(in: 0..<Self.shortLivedKinds.lowerBound, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: await resolve(kind, from: app)
    case 30..<40: resolveNow(kind, from: app)
    case 40..<60: await openScopes(in: app, depth: Int.random(in: 1...3, using: &random), &random)
    case 60..<70:
      let task = Task { await resolve(7, from: app) }
      for _ in 0..<Int.random(in: 0..<8, using: &random) { await Task.yield() }
      task.cancel()
      await task.value
    case 70..<78: await app.reset(SoakAsset.self, key: kind)
    case 78: await app.reset()
    case 79..<84: await expectNoError { try await app.register { self.registration(kind) } }
    case 84..<86:
      await app.unregister(SoakAsset.self, key: kind)
      await expectNoError { try await app.register { self.registration(kind) } }
    case 86: await period.invalidate()
    case 87..<90:
      await allow {
        try await app.withOverrides {
          self.registration(0)
        } operation: {
          _ = try await app.resolve(SoakAsset.self, key: 0)
          _ = try await app.resolve(SoakAsset.self, key: 1)
        }
      }
    default: await useChild(of: app, &random)
    }
  }

  func actNow(_ random: inout SeededRandom) {
    guard let app = app.withLock({ $0 }) else { return }
    let kind = Int.random(in: 0..<Self.shortLivedKinds.lowerBound, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: _ = app.resolveIfReady(SoakAsset.self, key: kind)
    case 1: allowNow { _ = try app.withResolved(Plain.self) { _ in } }
    default: resolveNow(kind, from: app)
    }
    Threads.yield()
  }

  private func openScopes(in container: Container, depth: Int, _ random: inout SeededRandom) async {
    guard depth > 0 else { return }
    scopes.increment()
    var inner = SeededRandom(seed: random.next())
    await allow {
      try await container.withScope { scope in
        for _ in 0..<3 { await self.resolve(Int.random(in: 0..<Self.kinds, using: &inner), from: scope) }
        self.resolveNow(Int.random(in: 0..<Self.kinds, using: &inner), from: scope)
        await self.openScopes(in: scope, depth: depth - 1, &inner)
        if Int.random(in: 0..<4, using: &inner) == 0 { throw Planned() }
      }
    }
  }

  private func useChild(of app: Container, _ random: inout SeededRandom) async {
    let (child, other) = (app.makeChild(name: "child"), Container(name: "other"))
    let kind = Int.random(in: 0..<Self.kinds, using: &random)
    await expectNoError {
      try await child.register { self.registration(kind) }
      try await other.register { self.registration(0) }
      let link = child.link(other)
      for kind in [0, 3, kind, 10] { await self.resolve(kind, from: child) }
      link.cancel()
      if Bool.random(using: &random) { child.link(other) }
      // A caller resolves during the shutdown. It is no `async let`: up to Swift 6.3, the runtime may read the task of one that has been
      // freed (swiftlang/swift#89883), and the soak crashed once in some ten minutes.
      let late = Task { await self.resolve(3, from: child) }
      try await child.shutdown()
      await late.value
      try await other.shutdown()
    }
  }

  private func resolve(_ kind: Int, from container: Container) async {
    await allow { _ = try await container.resolve(SoakAsset.self, key: kind) }
  }

  private func resolveNow(_ kind: Int, from container: Container) {
    allowNow { _ = try container.resolve(SoakAsset.self, key: kind) }
  }

  private func allow(_ body: () async throws -> Void) async {
    do { try await body() } catch { Self.check(error) }
  }

  private func allowNow(_ body: () throws -> Void) {
    do { try body() } catch { Self.check(error) }
  }

  /// Accepts the errors that concurrent operations can cause.
  private static func check(_ error: any Error) {
    switch error {
    case is Planned, is CancellationError: break
    case let error as ResolutionError
    where [.closed, .asyncRequired, .notRegistered].contains(error.code):
      break
    default: complain("unexpected error: \(error)")
    }
  }
}
