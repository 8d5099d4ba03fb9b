import ActorDI

protocol Piece: AnyObject, Sendable {
  var id: Int { get }
  var argument: Int { get }
  var parts: [Int] { get }
}

private final class PieceOf<Tag>: Piece, Disposable {
  let id: Int
  let argument: Int
  private let contents: Lock<[Int]>
  private let factory: PieceFactory
  init(_ id: Int, _ argument: Int, _ parts: [any Piece], _ factory: PieceFactory) {
    (self.id, self.argument, self.factory) = (id, argument, factory)
    contents = Lock(parts.map(\.id))
  }
  var parts: [Int] { contents.withLock { $0 } }
  func add(_ parts: [any Piece]) { contents.withLock { [ids = parts.map(\.id)] in $0 += ids } }
  func dispose() async throws { factory.noteDisposal(of: id) }
}
private enum A {}
private enum B {}
private enum C {}

struct PlannedFailure: Error {}

/// Makes the instances of a program, and holds them to its end, so that weakly kept ones stay alive.
private final class PieceFactory: Sendable {
  private struct State: Sendable {
    var made: [any Piece] = []
    var disposed: [Int] = []
    /// The hold of the next asynchronous factory.
    var hold: Hold?
  }
  private let state = Lock(State())

  /// The hold of a factory, which waits for its cancellation.
  struct Hold: Sendable {
    /// A stream that ends when the factory begins to wait.
    let arrival: AsyncStream<Void>.Continuation
    /// A stream that ends when the factory has been cancelled.
    let cancellation: AsyncStream<Void>.Continuation
  }

  func hold(_ hold: Hold) { state.withLock { $0.hold = hold } }

  func waitIfHeld() async throws {
    let hold = state.withLock { state in
      defer { state.hold = nil }
      return state.hold
    }
    guard let hold else { return }
    defer { hold.cancellation.finish() }
    hold.arrival.finish()
    try await Task.sleep(for: .seconds(600))
  }

  func make<Tag>(_: Tag.Type, of parts: [any Piece], _ argument: Int) -> PieceOf<Tag> {
    state.withLock { state in
      let piece = PieceOf<Tag>(state.made.count, argument, parts, self)
      state.made.append(piece)
      return piece
    }
  }

  func noteDisposal(of id: Int) { state.withLock { $0.disposed.append(id) } }

  func takeDisposed() -> [Int] {
    state.withLock { state in
      let disposed = state.disposed
      state.disposed = []
      return disposed
    }
  }

  func end() {
    let made = state.withLock { state in
      let made = state.made
      state.made = []
      return made
    }
    withExtendedLifetime(made) {}
  }
}

/// The remaining planned failures of a factory.
private final class Failures: Sendable {
  private let left: Lock<Int>
  init(_ count: Int) { left = Lock(count) }
  func failIfDue() throws {
    let isDue = left.withLock { left in
      left -= 1
      return left >= 0
    }
    if isDue { throw PlannedFailure() }
  }
}

/// Runs a program on containers and on the reference model.
struct ProgramRun {
  private let factory = PieceFactory()
  private var model = ReferenceModel()
  private var containers = [Container(name: "0")]
  private var links: [Int: Container.Link] = [:]

  /// A difference between the containers and the reference model.
  struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  private init() {}

  /// Runs a program.
  ///
  /// - Parameters:
  ///   - program: The steps.
  ///   - mistake: A mistake that the reference model makes.
  /// - Throws: ``Difference``.
  static func run(_ program: [Step], _ mistake: ReferenceModel.Mistake? = nil) async throws {
    var run = ProgramRun()
    run.model.mistake = mistake
    // A program with a difference ends early.
    defer { run.end() }
    for (number, step) in program.enumerated() {
      do {
        try await run.perform(step)
      } catch is ReferenceModel.TooManyInstances {
        return
      } catch let error as Difference {
        throw Difference(description: "step \(number), \(step): \(error)")
      }
    }
    while let last = run.model.open.last { try await run.shutDown(last) }
  }

  /// Removes reference cycles.
  private mutating func end() {
    for link in links.values { link.cancel() }
    model.end()
    factory.end()
  }

  private mutating func perform(_ step: Step) async throws {
    switch step {
    case .register(let name, let plan, let number):
      guard let index = model.container(number) else { return }
      model.register(name, plan, in: index)
      let registrations = Container.registrations(factory, name, plan)
      try await containers[index].register { registrations }
      try expect([])
    case .resolve(let request, let number, let isAsynchronous):
      guard let index = model.container(number) else { return }
      let expected = try model.resolve(request, from: index, isAsynchronous: isAsynchronous)
      let container = containers[index]
      try compare(
        await outcome { isAsynchronous ? try await container.get(request) : try container.getNow(request) }, expected)
      try expect([])
    case .cancel(let name, let number):
      guard let index = model.container(number), model.cancel(name, from: index) else { return }
      let container = containers[index]
      let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
      let (cancellations, cancellation) = AsyncStream.makeStream(of: Void.self)
      factory.hold(PieceFactory.Hold(arrival: arrival, cancellation: cancellation))
      let task = Task {
        // Ends the stream if there is no build.
        defer { arrival.finish() }
        return try await container.get(.one(name, argument: 0))
      }
      for await _ in arrivals {}
      task.cancel()
      let result = await outcome { try await task.value }
      guard case .failure(is CancellationError) = result else {
        throw Difference(description: "the cancelled resolve returned \(result)")
      }
      // The cancelled resolve may return before the cancellation has reached the factory of a dependency. If the next step joined that
      // build, the build would continue for it.
      for await _ in cancellations {}
      try expect([])
    case .override(let name, let scope, let number):
      guard let index = model.container(number) else { return }
      let (expected, due) = model.override(name, scope, in: index)
      let container = containers[index]
      let overrides = Container.registrations(factory, name, ServicePlan(scope: scope))
      let outcomes = try await container.withOverrides {
        overrides
      } operation: {
        let first = await outcome { try await container.get(.one(name, argument: 0)) }
        return [first, await outcome { try container.getNow(.one(name, argument: 0)) }]
      }
      for (outcome, expected) in zip(outcomes, expected) { try compare(outcome, expected) }
      try expect(due)
    case .decorate(let type, let key, let number):
      guard let index = model.container(number) else { return }
      model.decorate(type: type, key: key, in: index)
      try await containers[index].wrap(type, key, factory)
      try expect([])
    case .inspect(let name, let number):
      guard let index = model.container(number) else { return }
      let (isRegistered, ready) = containers[index].inspect(name)
      try compare(.found(isRegistered: isRegistered, ready: ready?.id), model.inspect(name, from: index))
      try expect([])
    case .unregister(let name, let number):
      guard let index = model.container(number) else { return }
      let due = model.unregister(name, in: index)
      await containers[index].remove(name)
      try expect(due)
    case .reset(let name, let number):
      guard let index = model.container(number) else { return }
      let due = model.reset(name, in: index)
      await containers[index].forget(name)
      try expect(due)
    case .resetAll(let number):
      guard let index = model.container(number) else { return }
      let due = model.resetAll(in: index)
      await containers[index].reset()
      try expect(due)
    case .makeChild(let number):
      guard let index = model.container(number), containers.count < 8 else { return }
      let child = model.makeChild(of: index)
      containers.append(containers[index].makeChild(name: "\(child)"))
    case .link(let number, let otherNumber):
      guard let index = model.container(number), let other = model.container(otherNumber), index != other else {
        return
      }
      links[model.link(index, to: other)] = containers[index].link(containers[other])
    case .cancelLink(let number):
      guard let (index, link) = model.link(number) else { return }
      model.cancel(link, of: index)
      links.removeValue(forKey: link)?.cancel()
    case .shutDown(let number):
      guard let index = model.container(number), model.mayShutDown(index) else { return }
      try await shutDown(index)
    }
  }

  private mutating func shutDown(_ index: Int) async throws {
    let due = model.shutDown(index)
    do { try await containers[index].shutdown() } catch { throw Difference(description: "shutdown: \(error)") }
    try expect(due)
    let name = ServiceName(type: 0, key: nil, takesArgument: false)
    let container = containers[index]
    do {
      _ = try await container.get(.one(name, argument: 0))
      throw Difference(description: "a closed container resolved a service")
    } catch let error as ResolutionError where error.code == .closed {
    }
  }

  private func compare(_ result: Result<Pieces, any Error>, _ expected: ReferenceModel.Outcome) throws {
    switch result {
    case .success(let pieces):
      switch pieces {
      case .list(let pieces): try compare(.made(pieces.map(\.id)), expected)
      case .byKey(let pieces): try compare(.byKey(pieces.mapValues(\.id)), expected)
      }
      for piece in pieces.all where piece.parts != model.parts[piece.id] || piece.argument != model.arguments[piece.id]
      {
        throw Difference(
          description: """
            \(piece.id) is made of \(piece.parts) with \(piece.argument), not of \(model.parts[piece.id]) with \
            \(model.arguments[piece.id])
            """)
      }
    case .failure(is PlannedFailure): try compare(.failed(.planned), expected)
    case .failure(let error as ResolutionError):
      switch error.code {
      case .notRegistered: try compare(.failed(.notRegistered), expected)
      case .argumentMismatch: try compare(.failed(.argumentMismatch), expected)
      case .cycle: try compare(.failed(.cycle), expected)
      case .asyncRequired: try compare(.failed(.asyncRequired), expected)
      default: throw Difference(description: "unexpected error: \(error); expected: \(expected)")
      }
    case .failure(let error): throw Difference(description: "unexpected error: \(error); expected: \(expected)")
    }
  }

  private func compare(_ outcome: ReferenceModel.Outcome, _ expected: ReferenceModel.Outcome) throws {
    if outcome != expected { throw Difference(description: "\(outcome); expected: \(expected)") }
  }

  /// Checks the disposals since the last check: the due instances, in order, and others only if an early disposal is allowed.
  private mutating func expect(_ due: [Int]) throws {
    let disposed = factory.takeDisposed()
    for id in disposed where !due.contains(id) {
      if !model.mayDispose(of: id) {
        throw Difference(description: "instance \(id) was disposed of; due: \(due), disposed of: \(disposed)")
      }
    }
    let done = disposed.filter { due.contains($0) }
    if done.sorted() != due.sorted() || !model.isOrder(done) {
      throw Difference(description: "disposed of \(done) instead of \(due)")
    }
  }
}

private func outcome(_ resolve: () async throws -> Pieces) async -> Result<Pieces, any Error> {
  do { return .success(try await resolve()) } catch { return .failure(error) }
}

/// The result of a request.
private enum Pieces: Sendable {
  case list([any Piece])
  case byKey([Int: any Piece])

  var all: [any Piece] {
    switch self {
    case .list(let pieces): pieces
    case .byKey(let pieces): pieces.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}

// MARK: - Names to types

extension Container {
  fileprivate static func registrations(_ factory: PieceFactory, _ name: ServiceName, _ plan: ServicePlan)
    -> Registrations
  {
    switch name.type {
    case 0: Registrations { registration(A.self, factory, name, plan) }
    case 1: Registrations { registration(B.self, factory, name, plan) }
    default: Registrations { registration(C.self, factory, name, plan) }
    }
  }

  private static func registration<Tag>(
    _: Tag.Type, _ factory: PieceFactory, _ name: ServiceName, _ plan: ServicePlan
  ) -> Registration<PieceOf<Tag>> {
    let failures = Failures(plan.failures)
    let scope: Scope =
      switch plan.scope {
      case .transient: .transient
      case .graph: .graph
      case .shared: .shared
      case .singleton: .singleton
      case .scoped: .scoped
      }
    let hasHook = plan.hookDependencies != nil
    let make: @Sendable (Resolver, Int) throws -> PieceOf<Tag> = { r, argument in
      let parts = try plan.dependencies.flatMap { try r.getNow($0).all }
      if !hasHook { try failures.failIfDue() }
      return factory.make(Tag.self, of: parts, argument)
    }
    let makeAsynchronously: @concurrent @Sendable (Resolver, Int) async throws -> PieceOf<Tag> = { r, argument in
      try await factory.waitIfHeld()
      var parts: [any Piece] = []
      for request in plan.dependencies { parts += try await r.get(request).all }
      if !hasHook { try failures.failIfDue() }
      return factory.make(Tag.self, of: parts, argument)
    }
    let service = PieceOf<Tag>.self
    var registration =
      switch (plan.isAsynchronous, name.takesArgument) {
      case (false, false): Registration(service, scope: scope) { r in try make(r, 0) }
      case (false, true): Registration(service, scope: scope) { (r, argument: Int) in try make(r, argument) }
      case (true, false): Registration(service, scope: scope) { r in try await makeAsynchronously(r, 0) }
      case (true, true):
        Registration(service, scope: scope) { (r, argument: Int) in try await makeAsynchronously(r, argument) }
      }
    if let requests = plan.hookDependencies {
      if plan.isAsynchronous {
        registration = registration.onCreated { (piece: PieceOf<Tag>, r: Resolver) async throws in
          for request in requests { piece.add(try await r.get(request).all) }
          try failures.failIfDue()
        }
      } else {
        registration = registration.onCreated { piece, r in
          for request in requests { piece.add(try r.getNow(request).all) }
          try failures.failIfDue()
        }
      }
    }
    if let key = name.key { registration = registration.key(key) }
    if let alias = plan.alias {
      registration = registration.implements((any Piece).self, key: alias.key) { $0 }
    }
    return plan.isPerArgument ? registration.perArguments() : registration
  }

  fileprivate func wrap(_ type: Int, _ key: Int?, _ factory: PieceFactory) throws {
    switch type {
    case 0: try wrap(PieceOf<A>.self, key) { factory.make(A.self, of: [$0], $0.argument) }
    case 1: try wrap(PieceOf<B>.self, key) { factory.make(B.self, of: [$0], $0.argument) }
    case 2: try wrap(PieceOf<C>.self, key) { factory.make(C.self, of: [$0], $0.argument) }
    default: try wrap((any Piece).self, key) { factory.make(A.self, of: [$0], $0.argument) }
    }
  }

  private func wrap<Service>(
    _ type: Service.Type, _ key: Int?, _ make: @escaping @Sendable (Service) -> Service
  ) throws {
    if let key {
      try decorate(type, key: key) { (_: Resolver, inner: Service) in make(inner) }
    } else {
      try decorate(type) { (_: Resolver, inner: Service) in make(inner) }
    }
  }

  fileprivate func remove(_ name: ServiceName) async {
    switch name.type {
    case 0: await remove(PieceOf<A>.self, name.key)
    case 1: await remove(PieceOf<B>.self, name.key)
    default: await remove(PieceOf<C>.self, name.key)
    }
  }

  private func remove<Service>(_ type: Service.Type, _ key: Int?) async {
    if let key { _ = await unregister(type, key: key) } else { _ = await unregister(type) }
  }

  fileprivate func forget(_ name: ServiceName) async {
    switch name.type {
    case 0: await forget(PieceOf<A>.self, name.key)
    case 1: await forget(PieceOf<B>.self, name.key)
    default: await forget(PieceOf<C>.self, name.key)
    }
  }

  private func forget<Service>(_ type: Service.Type, _ key: Int?) async {
    if let key { await reset(type, key: key) } else { await reset(type) }
  }

  fileprivate nonisolated func inspect(_ name: ServiceName) -> (Bool, (any Piece)?) {
    switch name.type {
    case 0: inspect(PieceOf<A>.self, name.key) { $0 }
    case 1: inspect(PieceOf<B>.self, name.key) { $0 }
    case 2: inspect(PieceOf<C>.self, name.key) { $0 }
    default: inspect((any Piece).self, name.key) { $0 }
    }
  }

  private nonisolated func inspect<Service: Sendable>(
    _ type: Service.Type, _ key: Int?, _ piece: (Service) -> any Piece
  ) -> (Bool, (any Piece)?) {
    if let key {
      (contains(type, key: key), resolveIfReady(type, key: key).map(piece))
    } else {
      (contains(type), resolveIfReady(type).map(piece))
    }
  }
}

extension Resolving {
  fileprivate nonisolated func get(_ request: Request) async throws -> Pieces {
    switch request.type {
    case 0: try await get(PieceOf<A>.self, request) { $0 }
    case 1: try await get(PieceOf<B>.self, request) { $0 }
    case 2: try await get(PieceOf<C>.self, request) { $0 }
    default: try await get((any Piece).self, request) { $0 }
    }
  }

  private nonisolated func get<Service: Sendable>(
    _ type: Service.Type, _ request: Request, _ piece: (Service) -> any Piece
  ) async throws -> Pieces {
    switch request {
    case .all: return .list(try await resolve([Service].self).map(piece))
    case .byKey: return .byKey(try await resolve([Int: Service].self).mapValues(piece))
    case .one(let name, let argument):
      let service =
        switch (name.key, name.takesArgument) {
        case (nil, false): try await resolve(type)
        case (nil, true): try await resolve(type, arguments: argument)
        case (let key?, false): try await resolve(type, key: key)
        case (let key?, true): try await resolve(type, key: key, arguments: argument)
        }
      return .list([piece(service)])
    }
  }

  fileprivate nonisolated func getNow(_ request: Request) throws -> Pieces {
    switch request.type {
    case 0: try getNow(PieceOf<A>.self, request) { $0 }
    case 1: try getNow(PieceOf<B>.self, request) { $0 }
    case 2: try getNow(PieceOf<C>.self, request) { $0 }
    default: try getNow((any Piece).self, request) { $0 }
    }
  }

  private nonisolated func getNow<Service: Sendable>(
    _ type: Service.Type, _ request: Request, _ piece: (Service) -> any Piece
  ) throws -> Pieces {
    switch request {
    case .all: return .list(try resolve([Service].self).map(piece))
    case .byKey: return .byKey(try resolve([Int: Service].self).mapValues(piece))
    case .one(let name, let argument):
      let service =
        switch (name.key, name.takesArgument) {
        case (nil, false): try resolve(type)
        case (nil, true): try resolve(type, arguments: argument)
        case (let key?, false): try resolve(type, key: key)
        case (let key?, true): try resolve(type, key: key, arguments: argument)
        }
      return .list([piece(service)])
    }
  }
}
