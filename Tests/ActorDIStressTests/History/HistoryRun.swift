import ActorDI
import Synchronization
import Testing

private final class Made<Tag>: Sendable {
  let answer: HistoryAnswer
  init(_ answer: HistoryAnswer) { self.answer = answer }
}
private enum A {}
private enum B {}

private struct Failed: Error { let answer: HistoryAnswer }

/// Runs a program once, and records its operations.
final class HistoryRun: Sendable {
  /// A fault of the containers or clients, to check that the search rejects it.
  enum Fault: CaseIterable {
    /// Clients return earlier results instead of resolving.
    case clientsKeepInstances
    /// A factory keeps the singleton's instance in place of the container, without synchronising concurrent builds.
    case unsynchronizedSingletons
  }

  private struct State: Sendable {
    var operations: [HistoryOperation] = []
    var produced: Set<Int> = []
    var containers: [Int: Container] = [:]
    var links: [Int: Container.Link] = [:]
    /// All instances, so that weakly kept ones stay alive.
    var held: [any AnyObject & Sendable] = []
    /// The clients' earlier results, for the fault `clientsKeepInstances`.
    var remembered: [String: HistoryAnswer] = [:]
  }

  private let state = Lock(State())
  private let clock = Atomic<Int>(0)
  private let fault: Fault?

  static func history(of program: HistoryProgram, _ fault: Fault? = nil) async -> RecordedHistory {
    let run = HistoryRun(fault)
    let root = Container(name: "0")
    let containers = [0: root, 1: root.makeChild(name: "1"), 2: Container(name: "2")]
    run.state.withLock { $0.containers = containers }
    for act in program.setup { await run.perform(act, -1) }
    let (threads, tasks) = (program.clients.dropFirst(2), program.clients.prefix(2))
    // The clients start together. Waiting tasks yield, since all tasks may share one thread.
    let (started, count) = (Counter(), program.clients.count)
    await withTaskGroup(of: Void.self) { group in
      if !threads.isEmpty {
        group.addTask {
          await Threads.run(threads.count) { index in
            started.increment()
            while started.value < count { Threads.yield() }
            for act in threads[index + 2] { run.performNow(act, index + 2) }
          }
        }
      }
      for (index, acts) in tasks.enumerated() {
        group.addTask {
          started.increment()
          while started.value < count { await Task.yield() }
          for act in acts { await run.perform(act, index) }
        }
      }
    }
    return run.end()
  }

  private init(_ fault: Fault?) { self.fault = fault }

  private func end() -> RecordedHistory {
    let state = state.withLock { state in
      defer { state = State() }
      return state
    }
    for link in state.links.values { link.cancel() }
    return RecordedHistory(operations: state.operations.sorted { $0.end < $1.end }, produced: state.produced)
  }

  private func tick() -> Int { clock.add(1, ordering: .sequentiallyConsistent).newValue }

  private func container(_ number: Int) -> Container? { state.withLock { $0.containers[number] } }

  private func record(_ client: Int?, _ act: HistoryAct, _ begin: Int, _ answer: HistoryAnswer) {
    let operation = HistoryOperation(client: client, act: act, begin: begin, end: tick(), answer: answer)
    state.withLock { $0.operations.append(operation) }
  }

  // MARK: Acts

  private func perform(_ act: HistoryAct, _ client: Int) async {
    let begin = tick()
    switch act {
    case .register(let name, let plan, let number):
      guard let container = container(number) else { return }
      do {
        try await register(name, plan, in: container)
        record(client, act, begin, .done)
      } catch {
        record(client, act, begin, Self.answer(for: error))
      }
    case .unregister(let name, let number):
      guard let container = container(number) else { return }
      record(client, act, begin, .flag(await container.remove(name)))
    case .reset(let name, let number):
      guard let container = container(number) else { return }
      await container.forget(name)
      record(client, act, begin, .done)
    case .resetAll(let number):
      guard let container = container(number) else { return }
      await container.reset()
      record(client, act, begin, .done)
    case .shutDown(let number):
      guard let container = container(number) else { return }
      do { try await container.shutdown() } catch { complain("\(error)") }
      record(client, act, begin, .done)
    case .resolve(let name, let number, isAsynchronous: true):
      guard let container = container(number) else { return }
      if fault == .clientsKeepInstances, let old = recall(act, client) { return record(client, act, begin, old) }
      let answer: HistoryAnswer
      do { answer = try await keep(container.made(name)) } catch { answer = Self.answer(for: error) }
      remember(answer, of: act, client)
      record(client, act, begin, answer)
    default: performNow(act, client)
    }
  }

  private func performNow(_ act: HistoryAct, _ client: Int) {
    let begin = tick()
    switch act {
    case .resolve(let name, let number, _):
      guard let container = container(number) else { return }
      if fault == .clientsKeepInstances, let old = recall(act, client) { return record(client, act, begin, old) }
      let answer: HistoryAnswer
      do { answer = try keep(container.madeNow(name)) } catch { answer = Self.answer(for: error) }
      remember(answer, of: act, client)
      record(client, act, begin, answer)
    case .inspect(let name, let number):
      guard let container = container(number) else { return }
      record(client, act, begin, container.inspect(name) ?? .flag(false))
    case .contains(let name, let number):
      guard let container = container(number) else { return }
      record(client, act, begin, .flag(container.has(name)))
    case .makeChild(let child, let number):
      guard let container = container(number) else { return }
      let isNew = state.withLock { state in
        guard state.containers[child] == nil else { return false }
        state.containers[child] = container.makeChild(name: "\(child)")
        return true
      }
      if isNew { record(client, act, begin, .done) }
    case .link(let number, let source, let target):
      guard let container = container(source), let other = self.container(target), source != target else { return }
      let link = container.link(other)
      state.withLock { $0.links[number] = link }
      record(client, act, begin, .done)
    case .cancelLink(let number, _):
      guard let link = state.withLock({ $0.links.removeValue(forKey: number) }) else { return }
      link.cancel()
      record(client, act, begin, .done)
    default: preconditionFailure("A thread cannot perform \(act)")
    }
  }

  private func keep(_ made: (any AnyObject & Sendable, HistoryAnswer)) -> HistoryAnswer {
    state.withLock { $0.held.append(made.0) }
    return made.1
  }

  private static func answer(for error: any Error) -> HistoryAnswer {
    if let failed = error as? Failed { return failed.answer }
    // No client cancels anything: a shutdown has cancelled the build whose factory resolves.
    if error is CancellationError { return .closed }
    return switch (error as? ResolutionError)?.code {
    case .notRegistered: .missing
    case .asyncRequired: .asyncRequired
    case .closed: .closed
    default: .unexpected("\(error)")
    }
  }

  private func recall(_ act: HistoryAct, _ client: Int) -> HistoryAnswer? {
    state.withLock { $0.remembered["\(client) \(act)"] }
  }

  private func remember(_ answer: HistoryAnswer, of act: HistoryAct, _ client: Int) {
    if fault == .clientsKeepInstances { state.withLock { $0.remembered["\(client) \(act)"] = answer } }
  }

  // MARK: Factories

  private func register(_ name: HistoryName, _ plan: HistoryPlan, in container: Container) async throws {
    switch name {
    case .a: try await container.register { self.registration(A.self, plan) }
    case .keyedA: try await container.register { self.registration(A.self, plan).key("keyed") }
    case .b: try await container.register { self.registration(B.self, plan) }
    case .keyedB: try await container.register { self.registration(B.self, plan).key(HistoryName.keyedB) }
    }
  }

  private func registration<Tag>(_: Tag.Type, _ plan: HistoryPlan) -> Registration<Made<Tag>> {
    let isUnsynchronized = fault == .unsynchronizedSingletons && plan.scope == .singleton
    let scope: Scope =
      switch plan.scope {
      case .singleton where isUnsynchronized: .transient
      case .transient: .transient
      case .shared: .shared
      case .singleton: .singleton
      case .scoped: .scoped
      }
    let runs = Counter()
    let unsynchronized = Lock<Made<Tag>?>(nil)
    if plan.isAsynchronous {
      return Registration(Made<Tag>.self, scope: scope) { r in
        if isUnsynchronized, let made = unsynchronized.withLock({ $0 }) { return made }
        if let dependency = plan.dependency { try await self.resolve(dependency, r, plan) }
        for _ in 0..<plan.yields { await Task.yield() }
        let made = try Made<Tag>(self.produce(plan, r, runs.increment()))
        unsynchronized.withLock { $0 = made }
        return made
      }
    }
    return Registration(Made<Tag>.self, scope: scope) { r in
      if isUnsynchronized, let made = unsynchronized.withLock({ $0 }) { return made }
      if let dependency = plan.dependency { try self.resolveNow(dependency, r, plan) }
      for _ in 0..<plan.yields { Threads.yield() }
      let made = try Made<Tag>(self.produce(plan, r, runs.increment()))
      unsynchronized.withLock { $0 = made }
      return made
    }
  }

  private func resolve(_ dependency: HistoryName, _ resolver: Resolver, _ plan: HistoryPlan) async throws {
    let act = HistoryAct.resolve(dependency, from: Self.number(of: resolver), isAsynchronous: true)
    let begin = tick()
    do {
      record(nil, act, begin, keep(try await resolver.made(dependency)))
    } catch {
      record(nil, act, begin, Self.answer(for: error))
      throw fail(plan)
    }
  }

  private func resolveNow(_ dependency: HistoryName, _ resolver: Resolver, _ plan: HistoryPlan) throws {
    let act = HistoryAct.resolve(dependency, from: Self.number(of: resolver), isAsynchronous: false)
    let begin = tick()
    do {
      record(nil, act, begin, keep(try resolver.madeNow(dependency)))
    } catch {
      record(nil, act, begin, Self.answer(for: error))
      throw fail(plan)
    }
  }

  private func produce(_ plan: HistoryPlan, _ resolver: Resolver, _ run: Int) throws -> HistoryAnswer {
    if plan.fails && run == 0 { throw fail(plan) }
    let number = tick()
    state.withLock { _ = $0.produced.insert(number) }
    return .made(number, registration: plan.number, builder: Self.number(of: resolver))
  }

  private func fail(_ plan: HistoryPlan) -> Failed {
    let number = tick()
    state.withLock { _ = $0.produced.insert(number) }
    return Failed(answer: .failed(number, registration: plan.number))
  }

  private static func number(of resolver: Resolver) -> Int { Int(resolver.container.name) ?? -1 }
}

// MARK: - Names to types

extension Resolving {
  fileprivate typealias Answer = (any AnyObject & Sendable, HistoryAnswer)

  fileprivate nonisolated func made(_ name: HistoryName) async throws -> Answer {
    switch name {
    case .a: Self.answer(try await resolve(Made<A>.self))
    case .keyedA: Self.answer(try await resolve(Made<A>.self, key: "keyed"))
    case .b: Self.answer(try await resolve(Made<B>.self))
    case .keyedB: Self.answer(try await resolve(Made<B>.self, key: HistoryName.keyedB))
    }
  }

  fileprivate nonisolated func madeNow(_ name: HistoryName) throws -> Answer {
    switch name {
    case .a: Self.answer(try resolve(Made<A>.self))
    case .keyedA: Self.answer(try resolve(Made<A>.self, key: "keyed"))
    case .b: Self.answer(try resolve(Made<B>.self))
    case .keyedB: Self.answer(try resolve(Made<B>.self, key: HistoryName.keyedB))
    }
  }

  private nonisolated static func answer<Tag>(_ made: Made<Tag>) -> Answer { (made, made.answer) }
}

extension Container {
  fileprivate nonisolated func inspect(_ name: HistoryName) -> HistoryAnswer? {
    switch name {
    case .a: resolveIfReady(Made<A>.self)?.answer
    case .keyedA: resolveIfReady(Made<A>.self, key: "keyed")?.answer
    case .b: resolveIfReady(Made<B>.self)?.answer
    case .keyedB: resolveIfReady(Made<B>.self, key: HistoryName.keyedB)?.answer
    }
  }

  fileprivate nonisolated func has(_ name: HistoryName) -> Bool {
    switch name {
    case .a: contains(Made<A>.self)
    case .keyedA: contains(Made<A>.self, key: "keyed")
    case .b: contains(Made<B>.self)
    case .keyedB: contains(Made<B>.self, key: HistoryName.keyedB)
    }
  }

  fileprivate func remove(_ name: HistoryName) async -> Bool {
    switch name {
    case .a: await unregister(Made<A>.self)
    case .keyedA: await unregister(Made<A>.self, key: "keyed")
    case .b: await unregister(Made<B>.self)
    case .keyedB: await unregister(Made<B>.self, key: HistoryName.keyedB)
    }
  }

  fileprivate func forget(_ name: HistoryName) async {
    switch name {
    case .a: await reset(Made<A>.self)
    case .keyedA: await reset(Made<A>.self, key: "keyed")
    case .b: await reset(Made<B>.self)
    case .keyedB: await reset(Made<B>.self, key: HistoryName.keyedB)
    }
  }
}
