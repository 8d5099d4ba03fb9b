internal import Synchronization

/// The value of an injected property and its loads.
///
/// Each load has a ``OnceCell`` of its own. Callers during a load wait for its cell, and a reload creates a new cell. The instance of
/// the last successful load stays until the next load succeeds.
///
/// As an ``InstanceHolder``, the storage shows the instance of the newest load to readers without a lock, unless the property follows
/// changes. The storage's own lock takes the place of the cell's lock.
///
/// `@unchecked Sendable` because its superclass is; the added properties are immutable or under the lock.
@usableFromInline
final class InjectionStorage<Service>: InstanceHolder, @unchecked Sendable {
  private let request: DeferredRequest
  /// Of the innermost override layer in force when the property was created (V4).
  private let succession: OverrideSuccession?
  private let isFromGivenContainer: Bool
  private let state: Lock<InjectionState>

  /// Creates the storage of a property.
  ///
  /// - Parameter follows: Whether the property follows changes.
  init(
    _ request: DeferredRequest, from container: Container?, under layer: OverrideLayer?,
    followingChanges follows: Bool = false
  ) {
    self.request = request
    succession = layer?.makeSuccession()
    isFromGivenContainer = container != nil
    state = Lock(InjectionState(cell: OnceCell(request.identity), given: container, followsChanges: follows))
  }

  /// The storage in force for the current task: this one or, under newer override layers, a shadow that belongs to a layer.
  ///
  /// A shadow keeps instances that were resolved under overrides out of this storage (V2).
  var inForce: InjectionStorage {
    guard OverrideLayer.active != nil, let container = try? cellAndContainer().container else { return self }
    let layers = OverrideLayer.inForce
    let newer = layers.prefix { succession?.isLive(as: $0) != true }
    // Where the property's own layer is not in force, the property keeps it nevertheless (V4).
    if succession != nil && newer.count == layers.count { return self }
    guard let over = newer.first(where: { $0.concerns(container) }) else { return self }
    return over.shadow(of: self) {
      let state = state.withLock { $0 }
      return InjectionStorage(
        request, from: isFromGivenContainer ? container : state.settledContainer, under: over,
        followingChanges: state.followsChanges)
    }
  }

  // MARK: Reading

  /// The shown instance, pinned; nil, without a pin, if a reader must consider overrides, loads or changes.
  // Emitted into the client, which is specialised for the service's type.
  @_alwaysEmitIntoClient @inline(__always)
  func lookup() -> Lookup? {
    let record = ThreadRecordPointer.current
    if !record.pin() {
      let word = word
      if word.isInstance { return Lookup(record: record, binding: .nothing, holderWord: word) }
    }
    record.unpin()
    return nil
  }

  var isLoaded: Bool { state.withLock { $0.instance != nil } }

  /// Changes the state, and then shows the instance of the newest load, or none.
  private func change(_ body: (inout sending InjectionState) -> sending [DroppedReference]) {
    // Released outside the lock: these may be the last references to an instance, a cell or a container.
    let dropped = state.withLock { state in
      let dropped = body(&state)
      return current?.box === state.shown?.box ? dropped : dropped + show(state.shown)
    }
    dropped.release()
  }

  /// Returns the value for a property, which can neither throw nor suspend. If the newest load fails or must suspend,
  /// this is the instance of the last successful one.
  func valueOfProperty() throws -> Service {
    if let shown = newest(afterFailure: true) { return shown.value(as: Service.self) }
    do {
      return try value()
    } catch {
      let (last, isToLoad) = state.withLock { ($0.instance, $0.followsChanges) }
      guard let last else { throw error }
      if isToLoad, (error as? ResolutionError)?.code == .asyncRequired {
        Task.detached { _ = try await self.value() }
      }
      return last.value(as: Service.self)
    }
  }

  func value() throws -> Service {
    if let instance = newest() { return instance.value(as: Service.self) }
    let (cell, container) = try cellAndContainer()
    defer { end(cell) }
    return finish(cell, with: try request.instance(of: Service.self, in: cell, from: origin(of: cell, in: container)))
  }

  nonisolated(nonsending) func value() async throws -> Service {
    if let instance = newest() { return instance.value(as: Service.self) }
    let (cell, container) = try cellAndContainer()
    defer { end(cell) }
    return finish(
      cell, with: try await request.instance(of: Service.self, in: cell, from: origin(of: cell, in: container)))
  }

  /// The instance of the newest load, after a change that the property follows has been considered; nil if a load is necessary.
  ///
  /// - Parameter accepts: Whether to return the instance of an earlier load if the newest one has failed.
  private func newest(afterFailure accepts: Bool = false) -> Instance? {
    let (instance, follows) = state.withLock { ($0.newest(afterFailure: accepts), $0.followsChanges) }
    if !follows { return instance }
    let followed = state.withLock { $0.instance == nil ? nil : $0.container }
    guard let stamp = followed?.container?.registryStamp else { return instance }
    // Discards the newest load if a searched registry has changed since.
    change { state in
      if let last = state.stamp, stamp.isUnchanged(since: last) { return [] }
      state.stamp = stamp
      return state.renew(request.identity)
    }
    return state.withLock { $0.newest(afterFailure: accepts) }
  }

  // MARK: Reloading

  /// Discards the newest load, so that the next use resolves again.
  func renew() { change { $0.renew(request.identity) } }

  func followChanges(_ isOn: Bool) {
    change {
      $0.followsChanges = isOn
      return []
    }
  }

  // MARK: Loading

  /// Returns the cell of the newest load and the container to resolve from.
  private func cellAndContainer() throws -> (cell: OnceCell, container: Container) {
    // Until a load has succeeded, the next load uses the current container.
    let state = state.withLock { $0 }
    if let container = state.settledContainer { return (state.cell, container) }
    guard !isFromGivenContainer else {
      throw ResolutionError(
        .closed, for: request.identity,
        note: "The container that it is injected from has been released.")
    }
    return (state.cell, Container.current)
  }

  /// The origin of a load. It records the container and the state of its registries, unless a newer load has begun.
  private func origin(of cell: OnceCell, in container: Container) -> DeferredOrigin {
    let reference = ContainerReference(container)
    return DeferredOrigin(container, under: succession?.layer) { [self] in
      // Read before the resolve, so that a change during the resolve counts as later.
      guard let stamp = reference.container?.registryStamp else { return }
      state.withLock { state in
        guard state.cell === cell else { return }
        state.container = reference
        state.stamp = stamp
      }
    }
  }

  /// Stores the instance of a load, unless a newer one has begun, and returns the service.
  private func finish(_ cell: OnceCell, with instance: Instance) -> Service {
    change { state in
      guard state.cell === cell, state.status != .loaded else { return [] }
      state.status = .loaded
      return [.owned(exchange(&state.instance, with: instance)), .owned(exchange(&state.given, with: nil))]
    }
    return instance.value(as: Service.self)
  }

  /// Ends a load. If its instance has not been stored, and no newer load has begun, the load has failed.
  private func end(_ cell: OnceCell) {
    state.withLock { state in
      if state.cell === cell && state.status == .pending { state.status = .failed }
    }
  }
}

/// The state of an injected property. Outside of the generic class, whose nested types would be looked up at each access.
private struct InjectionState: Sendable {
  /// The cell of the newest load: pending, in progress or done.
  var cell: OnceCell
  /// The instance of the last successful load.
  var instance: Instance?
  var status = Status.pending
  /// The container passed to the initialiser, released after the first successful load. Keeping it could close a reference cycle
  /// with a service that it keeps.
  var given: Container?
  /// The container of the newest successful load.
  var container: ContainerReference?
  /// The state of the registries searched by that load.
  var stamp: RegistryStamp?
  var followsChanges: Bool

  /// The container of the next load; nil if that is the current one, or if the container has been released.
  var settledContainer: Container? { given ?? (instance == nil ? nil : container?.container) }

  func newest(afterFailure accepts: Bool) -> Instance? {
    status == .loaded || accepts && status == .failed ? instance : nil
  }

  /// The instance that every reader gets; nil if a read may have to load another one.
  var shown: Instance? { followsChanges ? nil : newest(afterFailure: false) }

  /// Begins a new load.
  ///
  /// - Returns: The old cell, for the caller to release outside the lock.
  mutating func renew(_ identity: ServiceIdentity) -> [DroppedReference] {
    status = .pending
    return [.owned(exchange(&cell, with: OnceCell(identity)))]
  }

  /// The status of the newest load.
  enum Status {
    case pending
    /// The newest load produced the instance.
    case loaded
    /// The newest load failed. The instance, if any, is from an earlier load.
    case failed
  }
}
