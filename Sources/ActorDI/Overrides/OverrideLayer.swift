internal import Synchronization

/// What a task and its child tasks find before all that a container has: ``Container/withOverrides(_:operation:)``.
///
/// The layer is task-local. It holds the overriding registrations in a container of its own, the *overlay*, and the instances that must not
/// get into the real one; see ``Placement``.
///
/// - V1 *looked in first*: a layer applies to whatever container finds the overridden one in its search order: that one itself, its
///   children, those that are linked to it. Of nested layers the inner one is looked in first.
/// - V2 *nothing leaks*: what a container keeps by itself is built without a layer; what meets an override on its way is kept by the
///   layer.
/// - V3 *seen by the slow path only*: while a layer is in force anywhere in the process, each resolve looks whether one is in force for its
///   task, and takes the slow path if so; see ``ThreadRecord/overridden``.
final class OverrideLayer: Sendable {
  @TaskLocal static var current: OverrideLayer?

  /// How many layers there are in the process: with none, nobody has to ask for a task-local.
  private static let count = Atomic<Int>(0)

  let container: Container
  let overlay: Container
  /// The layer that this one was made under.
  let enclosing: OverrideLayer?

  let decisions = Lock<[PlacementName: PlacementDecision]>([:])
  let keepers = Lock<[ObjectIdentifier: Keeper]>([:])
  let shadows = Lock<[ObjectIdentifier: Shadow]>([:])
  /// Whether everything that is kept is kept for the layer, whatever it is made from.
  let isolatesAll: Bool
  private let ended = Atomic<Bool>(false)

  /// - Throws: what is wrong with one of the registrations.
  init(of container: Container, _ overrides: consuming Registrations) throws {
    self.container = container
    enclosing = Self.active
    overlay = Container(overriding: container)
    isolatesAll = false
    var batch = (consume overrides).takeWanted()
    try overlay.add(&batch)
  }

  /// A layer without overrides that keeps all that is built under it.
  init(isolating container: Container) {
    self.container = container
    enclosing = nil
    overlay = Container(overriding: container)
    isolatesAll = true
  }

  // MARK: Its time

  /// The layer that is in force for the calling task. One that has ended is not, though the task-local may outlive it.
  static var active: OverrideLayer? {
    guard count.load(ordering: .acquiring) > 0 else { return nil }
    var layer = current
    while let next = layer, next.hasEnded { layer = next.enclosing }
    return layer
  }

  /// Runs a function under a layer, or none, whatever is in force for the calling task.
  static func holding<Result>(_ layer: OverrideLayer?, _ body: () throws -> Result) rethrows -> Result {
    if active === layer { return try body() }
    return try $current.withValue(layer, operation: body)
  }

  /// The same for an asynchronous function.
  static func holding<Result>(
    _ layer: OverrideLayer?, _ body: () async throws -> Result
  ) async rethrows -> Result {
    if active === layer { return try await body() }
    return try await $current.withValue(layer, operation: body)
  }

  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  /// To be called before the layer is anybody's.
  func begin() {
    Self.count.add(1, ordering: .acquiringAndReleasing)
    Reclaimer.shared.detourAll(true)
  }

  /// The operation has ended: who still has the layer finds the real container again.
  private func stop() {
    ended.store(true, ordering: .releasing)
    Reclaimer.shared.detourAll(false)
    Self.count.subtract(1, ordering: .acquiringAndReleasing)
  }

  /// The end of the operation, and of all that is kept for it.
  ///
  /// - Returns: what could not be disposed of.
  nonisolated(nonsending) func end(after outcome: ScopeOutcome) async -> [ShutdownError.Failure] {
    stop()
    defer { letGo() }
    return await overlay.close(after: outcome)
  }

  /// The same for a synchronous caller: what suspends when it is disposed of, is so in the background.
  func end(after outcome: ScopeOutcome) -> [ShutdownError.Failure] {
    stop()
    defer { letGo() }
    return closeNow(after: outcome)
  }

  /// This layer and those around it that are in force, innermost first.
  var inForce: some Sequence<OverrideLayer> {
    sequence(first: self, next: \.enclosing).lazy.filter { !$0.hasEnded }
  }

  // MARK: What is found

  /// Whether a container that is asked looks in this layer.
  func applies(to asked: Container) -> Bool {
    asked.searchOrder.contains { $0 === container }
  }

  /// What the innermost layer has for an identity that a container is asked for.
  func locate(_ identity: ServiceIdentity, for asked: Container) -> Located? {
    for layer in inForce where layer.applies(to: asked) {
      guard let found = layer.overlay.locateHere(identity, literal: 0),
        found.container === layer.overlay
      else { continue }
      return found
    }
    return nil
  }

  /// What is looked in before a container itself, first to last.
  static func overlays(for asked: Container) -> [Container] {
    guard let active else { return [] }
    return active.inForce.filter { $0.applies(to: asked) }.map(\.overlay)
  }

  /// Whether it may have something for a dependency, with whatever arguments, or for another one to which that leads.
  func overrides(_ dependency: Dependency) -> Bool {
    let isAnyKey = dependency.need == .all && dependency.identity.key == nil
    return overrides(dependency.identity, isAnyKey: isAnyKey)
      || dependency.forms.contains { overrides($0, isAnyKey: false) }
  }

  func overrides(_ identity: ServiceIdentity, isAnyKey: Bool = false) -> Bool {
    overlay.ownBindings(of: identity.service).contains { isAnyKey || $0.key == identity.key }
  }
}

extension Binding {
  /// What a forward of this binding shows, where overrides are in force: who overrides a service means all types that it is found under.
  final func standIn(asking container: Container) -> Located? {
    guard let found = OverrideLayer.active?.locate(identity, for: container) else { return nil }
    // Where both stand in one place, it is for the forward to say whose instance it shows.
    return unsafe found.container === owner ? nil : found
  }
}
