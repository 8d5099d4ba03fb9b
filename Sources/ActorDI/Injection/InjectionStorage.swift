/// The value of an injected property, and how it comes about.
///
/// Each load is a ``OnceCell`` of its own: whoever asks while it is under way waits for it, and a reload is a new cell. The
/// instance of the last load that succeeded stays until the next one does.
final class InjectionStorage<Service>: Sendable {
  private struct State: Sendable {
    /// The newest load: yet to come, under way, or done.
    var cell: OnceCell
    /// What the last load that succeeded has yielded.
    var instance: Instance?
    var status = Status.pending
    /// The container that was given, until it has been used: a service may hold what its own container holds.
    var given: Container?
    /// The container of the newest load that succeeded.
    var container: ContainerReference?
    /// The state of its registry, and of all that it looks in, at the time.
    var stamp: RegistryStamp?
    var followsChanges = false

    /// Begins a new load.
    ///
    /// - Returns: the old one, to be released after the lock.
    mutating func renew(_ identity: ServiceIdentity) -> OnceCell {
      let old = cell
      cell = OnceCell(lazily: identity)
      status = .pending
      return old
    }
  }

  /// How far the newest load is.
  private enum Status {
    case pending
    /// The instance is its.
    case loaded
    /// The instance is an earlier one's.
    case failed
  }

  private let request: LaterRequest<Service>
  /// The overrides that it was made under.
  private weak let layer: OverrideLayer?
  private let isFromGivenContainer: Bool
  private let state: Lock<State>

  init(_ request: LaterRequest<Service>, from container: Container?) {
    self.request = request
    layer = OverrideLayer.active
    isFromGivenContainer = container != nil
    state = Lock(State(cell: OnceCell(lazily: request.identity), given: container))
  }

  /// Itself or, under overrides that are newer, what the property is for them: its own value is not to be one of theirs.
  var inForce: InjectionStorage {
    guard let active = OverrideLayer.active, let container = try? source().1 else { return self }
    for layer in active.inForce {
      if layer === self.layer { return self }
      guard layer.applies(to: container) else { continue }
      return layer.shadow(of: self) {
        InjectionStorage(request, from: isFromGivenContainer ? container : nil)
      }
    }
    return self
  }

  // MARK: Reading

  var isLoaded: Bool { state.withLock { $0.instance != nil } }

  /// The value for a property, which can neither throw nor wait: the last one, where there is no newer one to be had.
  func valueOfProperty() throws -> Service {
    renewAfterChange()
    let shown = state.withLock { $0.status == .pending ? nil : $0.instance }
    if let shown { return shown.value() }
    do {
      return try load()
    } catch {
      let (last, isToLoad) = state.withLock { ($0.instance, $0.followsChanges) }
      guard let last else { throw error }
      if isToLoad, (error as? ResolutionError)?.code == .asyncRequired {
        let layer = OverrideLayer.active
        Task.detached { try await OverrideLayer.holding(layer) { _ = try await self.load() } }
      }
      return last.value()
    }
  }

  func value() throws -> Service {
    if let instance = upToDate() { return instance.value() }
    return try load()
  }

  nonisolated(nonsending) func value() async throws -> Service {
    if let instance = upToDate() { return instance.value() }
    return try await load()
  }

  private func upToDate() -> Instance? {
    renewAfterChange()
    return state.withLock { $0.status == .loaded ? $0.instance : nil }
  }

  // MARK: Loading anew

  /// Makes the next load a new one.
  func renew() {
    // It may be the last reference to an instance: it goes after the lock.
    _ = state.withLock { $0.renew(request.identity) }
  }

  func followChanges(_ isOn: Bool) {
    state.withLock { $0.followsChanges = isOn }
  }

  /// As `renew`, if the registry has changed since the last load, and the property is to follow that.
  private func renewAfterChange() {
    let followed = state.withLock { $0.followsChanges && $0.instance != nil ? $0.container : nil }
    guard let stamp = followed?.container?.registryStamp else { return }
    _ = state.withLock { state -> OnceCell? in
      if let last = state.stamp, stamp.isUnchanged(since: last) { return nil }
      state.stamp = stamp
      return state.renew(request.identity)
    }
  }

  // MARK: Loading

  private func load() throws -> Service {
    let (cell, container) = try source()
    let chain = Resolver.chainOfCaller
    return try finish(cell) {
      try cell.instance(for: chain, mode: .inline) { attempt in
        try resolve(cell, container, chain, attempt, by: request.make)
      }
    }
  }

  private nonisolated(nonsending) func load() async throws -> Service {
    let (cell, container) = try source()
    let parent = ResolutionFrame.ofCurrentTask
    let layer = OverrideLayer.active
    let result: Result<Instance?, any Error>
    do {
      let mode: OnceStateMachine.BuildMode = request.isSynchronous(in: container) ? .inline : .task
      let instance = try await cell.instance(for: Chain(parent), mode: mode) { attempt in
        try resolve(cell, container, Chain(parent), attempt, by: request.makeInline)
      } task: { attempt in
        try await OverrideLayer.holding(layer) {
          try await self.resolve(cell, container, parent: parent, attempt)
        }
      }
      result = .success(instance)
    } catch {
      result = .failure(error)
    }
    return try finish(cell) { try result.get() }
  }

  private func resolve(
    _ cell: OnceCell, _ container: Container, _ chain: Chain, _ attempt: Attempt,
    by make: (Resolver) throws -> Service
  ) throws -> Product {
    // Before the resolve: a change that comes meanwhile is one since.
    let stamp = container.registryStamp
    let call = LaterCall(container, graph: ResolutionGraph(), chain, attempt: attempt, isShared: true)
    let instance = Instance(holding: try call.inline(make))
    note(container, stamp, cell)
    return Product(instance: instance)
  }

  @concurrent
  private func resolve(
    _ cell: OnceCell, _ container: Container, parent: ResolutionFrame?, _ attempt: Attempt
  ) async throws -> Product {
    let stamp = container.registryStamp
    let call = LaterCall(container, graph: ResolutionGraph(), Chain(parent), attempt: attempt)
    let instance = Instance(holding: try await request.makeAsync(call.resolver))
    note(container, stamp, cell)
    return Product(instance: instance)
  }

  /// What to load, and where from.
  private func source() throws -> (OnceCell, Container) {
    let (cell, given, known) = state.withLock { ($0.cell, $0.given, $0.container) }
    if let container = given ?? known?.container { return (cell, container) }
    guard !isFromGivenContainer else {
      throw ResolutionError(
        .closed, for: request.identity,
        note: "The container that it is injected from exists no more.")
    }
    return (cell, Container.current)
  }

  /// Remembers where a load has found what it found.
  private func note(_ container: Container, _ stamp: RegistryStamp, _ cell: OnceCell) {
    let reference = ContainerReference(container)
    state.withLock { state in
      guard state.cell === cell else { return }
      state.container = reference
      state.stamp = stamp
    }
  }

  /// Takes over the outcome of a load, unless a newer one has begun.
  private func finish(_ cell: OnceCell, _ result: () throws -> Instance?) throws -> Service {
    do {
      // The cell is never retired.
      guard let instance = try result() else { throw ResolutionError(.closed, for: cell.identity) }
      // What was there may be the last reference to the old instance or to a container: it goes after the lock.
      _ = state.withLock { state -> (Instance?, Container?) in
        guard state.cell === cell, state.status != .loaded else { return (nil, nil) }
        let old = (state.instance, state.given)
        state.instance = instance
        state.given = nil
        state.status = .loaded
        return old
      }
      return instance.value()
    } catch {
      state.withLock { state in
        if state.cell === cell && state.status == .pending { state.status = .failed }
      }
      throw error
    }
  }
}

extension LaterRequest {
  /// What a property shows when there is nothing to resolve; nil when that is an error.
  static var absent: Service? { (Service.self as? any Absentable.Type)?.absent as? Service }
}

/// A type whose value may stand for a service that cannot be resolved.
private protocol Absentable {
  static var absent: Self { get }
}

extension Optional: Absentable {
  fileprivate static var absent: Wrapped? { nil }
}

extension Array: Absentable {
  fileprivate static var absent: [Element] { [] }
}
