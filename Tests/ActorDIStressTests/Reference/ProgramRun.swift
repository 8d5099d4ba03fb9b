import ActorDI

protocol Piece: AnyObject, Sendable {
  var id: Int { get }
  var parts: [Int] { get }
}

private final class PieceOf<Tag>: Piece, Disposable {
  let id: Int
  private let contents: Lock<[Int]>
  private let workshop: Workshop
  init(_ id: Int, _ parts: [Int], _ workshop: Workshop) {
    (self.id, self.workshop) = (id, workshop)
    contents = Lock(parts)
  }
  var parts: [Int] { contents.withLock { $0 } }
  func add(_ part: any Piece) { contents.withLock { $0.append(part.id) } }
  func dispose() async throws { workshop.noteDisposal(of: id) }
}
private enum A {}
private enum B {}
private enum C {}

struct PlannedFailure: Error {}

/// What is made while a program runs. All of it is held to the end: so what is kept weakly stays.
private final class Workshop: Sendable {
  private struct State: Sendable {
    var made: [any Piece] = []
    var disposed: [Int] = []
  }
  private let state = Lock(State())

  func make<Tag>(_: Tag.Type, of parts: [any Piece]) -> PieceOf<Tag> {
    state.withLock { state in
      let piece = PieceOf<Tag>(state.made.count, parts.map(\.id), self)
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

/// How often a factory is still to fail.
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

/// Runs a program on containers, and on the reference beside them.
struct ProgramRun {
  private let workshop = Workshop()
  private var model = ReferenceModel()
  private var containers = [Container(name: "0")]
  private var links: [Int: Container.Link] = [:]

  /// Something that differs.
  struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  private init() {}

  /// - Parameter mistake: a rule that the reference bends.
  /// - Throws: ``Difference``.
  static func run(_ program: [Step], _ mistake: ReferenceModel.Mistake? = nil) async throws {
    var run = ProgramRun()
    run.model.mistake = mistake
    // A program that differs ends in the middle.
    defer { run.end() }
    for (number, step) in program.enumerated() {
      do {
        try await run.perform(step)
      } catch let error as Difference {
        throw Difference(description: "step \(number), \(step): \(error)")
      }
    }
    while let last = run.model.open.last { try await run.shutDown(last) }
  }

  /// Takes apart what holds itself.
  private mutating func end() {
    for link in links.values { link.cancel() }
    model.end()
    workshop.end()
  }

  private mutating func perform(_ step: Step) async throws {
    switch step {
    case .register(let name, let plan, let number):
      guard let home = model.container(number) else { return }
      model.register(name, plan, in: home)
      try await containers[home].put(workshop, name, plan)
      try expect([])
    case .resolve(let name, let number, let isAsynchronous):
      guard let home = model.container(number) else { return }
      let expected = model.resolve(name, from: home, isAsynchronous: isAsynchronous)
      let container = containers[home]
      let outcome = await outcome {
        isAsynchronous ? try await container.piece(name) : try container.pieceNow(name)
      }
      try compare(outcome, expected)
      try expect([])
    case .look(let name, let number):
      guard let home = model.container(number) else { return }
      let (isRegistered, ready) = containers[home].look(name)
      try compare(.found(isRegistered: isRegistered, ready: ready?.id), model.look(name, from: home))
      try expect([])
    case .unregister(let name, let number):
      guard let home = model.container(number) else { return }
      let due = model.unregister(name, in: home)
      await containers[home].remove(name)
      try expect(due)
    case .reset(let name, let number):
      guard let home = model.container(number) else { return }
      let due = model.reset(name, in: home)
      await containers[home].forget(name)
      try expect(due)
    case .resetAll(let number):
      guard let home = model.container(number) else { return }
      let due = model.resetAll(in: home)
      await containers[home].reset()
      try expect(due)
    case .makeChild(let number):
      guard let home = model.container(number), containers.count < 8 else { return }
      let child = model.makeChild(of: home)
      containers.append(containers[home].makeChild(name: "\(child)"))
    case .link(let number, let otherNumber):
      guard let home = model.container(number), let other = model.container(otherNumber), home != other else { return }
      links[model.link(home, to: other)] = containers[home].link(containers[other])
    case .cancelLink(let number):
      guard let (home, link) = model.link(number) else { return }
      model.cancel(link, of: home)
      links.removeValue(forKey: link)?.cancel()
    case .shutDown(let number):
      guard let home = model.container(number), model.mayShutDown(home) else { return }
      try await shutDown(home)
    }
  }

  private mutating func shutDown(_ home: Int) async throws {
    let due = model.shutDown(home)
    do { try await containers[home].shutdown() } catch { throw Difference(description: "shutdown: \(error)") }
    try expect(due)
    let name = ServiceName(type: 0, key: nil)
    let container = containers[home]
    do {
      _ = try await container.piece(name)
      throw Difference(description: "a closed container resolves")
    } catch let error as ResolutionError where error.code == .closed {
    }
  }

  private func outcome(_ resolve: () async throws -> any Piece) async -> Result<any Piece, any Error> {
    do { return .success(try await resolve()) } catch { return .failure(error) }
  }

  private func compare(_ result: Result<any Piece, any Error>, _ expected: ReferenceModel.Outcome) throws {
    switch result {
    case .success(let piece):
      try compare(.made(piece.id), expected)
      guard piece.parts == model.parts[piece.id] else {
        throw Difference(description: "\(piece.id) is made of \(piece.parts), not of \(model.parts[piece.id])")
      }
    case .failure(is PlannedFailure): try compare(.failed(.planned), expected)
    case .failure(let error as ResolutionError):
      switch error.code {
      case .notRegistered: try compare(.failed(.notRegistered), expected)
      case .cycle: try compare(.failed(.cycle), expected)
      case .asyncRequired: try compare(.failed(.asyncRequired), expected)
      default: throw Difference(description: "unexpected: \(error); the reference says \(expected)")
      }
    case .failure(let error): throw Difference(description: "unexpected: \(error); the reference says \(expected)")
    }
  }

  private func compare(_ outcome: ReferenceModel.Outcome, _ expected: ReferenceModel.Outcome) throws {
    if outcome != expected { throw Difference(description: "\(outcome); the reference says \(expected)") }
  }

  /// These have been disposed of, in order; and at most what may be disposed of early.
  private mutating func expect(_ due: [Int]) throws {
    let disposed = workshop.takeDisposed()
    for id in disposed where !due.contains(id) {
      if !model.mayDispose(of: id) {
        throw Difference(description: "\(id) was disposed of; due were \(due), done \(disposed)")
      }
    }
    let done = disposed.filter { due.contains($0) }
    if done.sorted() != due.sorted() || !model.isOrder(done) {
      throw Difference(description: "disposed of \(done), not \(due)")
    }
  }
}

// MARK: - Names to types

extension Container {
  fileprivate func put(_ workshop: Workshop, _ name: ServiceName, _ plan: ServicePlan) async throws {
    switch name.type {
    case 0: try await register { Self.registration(A.self, workshop, name, plan) }
    case 1: try await register { Self.registration(B.self, workshop, name, plan) }
    default: try await register { Self.registration(C.self, workshop, name, plan) }
    }
  }

  private static func registration<Tag>(
    _: Tag.Type, _ workshop: Workshop, _ name: ServiceName, _ plan: ServicePlan
  ) -> Registration<PieceOf<Tag>> {
    let failures = Failures(plan.failures)
    let scope: Scope =
      switch plan.keeping {
      case .transient: .transient
      case .graph: .graph
      case .shared: .shared
      case .singleton: .singleton
      case .scoped: .scoped
      }
    let isHooked = plan.later != nil
    var registration =
      if plan.isAsynchronous {
        Registration(PieceOf<Tag>.self, scope: scope) { r in
          var parts: [any Piece] = []
          for part in plan.parts { parts.append(try await r.piece(part)) }
          if !isHooked { try failures.failIfDue() }
          return workshop.make(Tag.self, of: parts)
        }
      } else {
        Registration(PieceOf<Tag>.self, scope: scope) { r in
          let parts = try plan.parts.map { try r.pieceNow($0) }
          if !isHooked { try failures.failIfDue() }
          return workshop.make(Tag.self, of: parts)
        }
      }
    if let later = plan.later {
      if plan.isAsynchronous {
        registration = registration.onCreated { (piece: PieceOf<Tag>, r: Resolver) async throws in
          for part in later { piece.add(try await r.piece(part)) }
          try failures.failIfDue()
        }
      } else {
        registration = registration.onCreated { piece, r in
          for part in later { piece.add(try r.pieceNow(part)) }
          try failures.failIfDue()
        }
      }
    }
    return if let key = name.key { registration.key(key) } else { registration }
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

  fileprivate nonisolated func look(_ name: ServiceName) -> (Bool, (any Piece)?) {
    switch name.type {
    case 0: look(PieceOf<A>.self, name.key)
    case 1: look(PieceOf<B>.self, name.key)
    default: look(PieceOf<C>.self, name.key)
    }
  }

  private nonisolated func look<Tag>(_ type: PieceOf<Tag>.Type, _ key: Int?) -> (Bool, (any Piece)?) {
    if let key {
      (contains(type, key: key), resolveIfReady(type, key: key))
    } else {
      (contains(type), resolveIfReady(type))
    }
  }

  fileprivate nonisolated func piece(_ name: ServiceName) async throws -> any Piece {
    switch name.type {
    case 0: try await piece(PieceOf<A>.self, name.key)
    case 1: try await piece(PieceOf<B>.self, name.key)
    default: try await piece(PieceOf<C>.self, name.key)
    }
  }

  private nonisolated func piece<Tag>(_ type: PieceOf<Tag>.Type, _ key: Int?) async throws -> any Piece {
    if let key { try await resolve(type, key: key) } else { try await resolve(type) }
  }

  fileprivate nonisolated func pieceNow(_ name: ServiceName) throws -> any Piece {
    switch name.type {
    case 0: try pieceNow(PieceOf<A>.self, name.key)
    case 1: try pieceNow(PieceOf<B>.self, name.key)
    default: try pieceNow(PieceOf<C>.self, name.key)
    }
  }

  private nonisolated func pieceNow<Tag>(_ type: PieceOf<Tag>.Type, _ key: Int?) throws -> any Piece {
    if let key { try resolve(type, key: key) } else { try resolve(type) }
  }
}

extension Resolver {
  fileprivate func piece(_ name: ServiceName) async throws -> any Piece {
    switch name.type {
    case 0: try await piece(PieceOf<A>.self, name.key)
    case 1: try await piece(PieceOf<B>.self, name.key)
    default: try await piece(PieceOf<C>.self, name.key)
    }
  }

  private func piece<Tag>(_ type: PieceOf<Tag>.Type, _ key: Int?) async throws -> any Piece {
    if let key { try await resolve(type, key: key) } else { try await resolve(type) }
  }

  fileprivate func pieceNow(_ name: ServiceName) throws -> any Piece {
    switch name.type {
    case 0: try pieceNow(PieceOf<A>.self, name.key)
    case 1: try pieceNow(PieceOf<B>.self, name.key)
    default: try pieceNow(PieceOf<C>.self, name.key)
    }
  }

  private func pieceNow<Tag>(_ type: PieceOf<Tag>.Type, _ key: Int?) throws -> any Piece {
    if let key { try resolve(type, key: key) } else { try resolve(type) }
  }
}
