internal import Synchronization

/// The overrides in force for a task and its child tasks: ``Container/withOverrides(strict:_:operation:)``.
///
/// The layer is a task-local value. Its own container, the *overlay*, has the overriding registrations. The layer also holds
/// the instances that must not get into the real container; see ``Placement``.
///
/// - V1 *searched first*: a layer applies to every container whose search order includes the overridden one: that container
///   itself, its children, and the containers linked to it. A nested layer is searched before the enclosing one.
/// - V2 *no leaks*: an instance that a container keeps is built without a layer. An instance whose dependencies include an
///   override is kept by the layer.
/// - V3 *slow path only*: while any layer in the process is in force, each resolve checks for a layer of its own task. It takes
///   the slow path if it finds one; see ``ThreadRecord/overridden``.
/// - V4 *later resolves*: what is created under a layer and resolves later, such as an injected property, resolves under that
///   layer, and after its operation under the layer's successor; see ``OverrideSuccession``.
///
/// Six predicates say what a layer affects:
///
/// | predicate | of | true if |
/// | --- | --- | --- |
/// | ``applies(to:)`` | a container | a resolve from the container searches the layer |
/// | ``isStrict(for:)`` | a container | the layer refuses external services that the container resolves |
/// | ``concerns(_:)`` | a container | the layer applies to the container, or is strict for it |
/// | ``replaces(_:)`` | a dependency | the layer has a registration for the dependency itself |
/// | ``overrides(_:)`` | a dependency | the layer has a registration or a decorator for the dependency itself |
/// | ``touches(_:asking:)`` | a kept service | the dependency graph of the service includes an override, or may include one |
final class OverrideLayer: Sendable {
  @TaskLocal static var current: OverrideLayer?

  /// The number of layers in force. If it is 0, no caller needs to read the task-local.
  static let count = Atomic<Int>(0)

  let container: Container
  let overlay: Container
  /// The layer in force when this one was created.
  let enclosing: OverrideLayer?
  /// The number of layers around this one.
  let depth: Int

  /// What the layer keeps in place of other containers, by their identifiers. Nil once the layer closes it.
  let substitutes: Lock<[ObjectIdentifier: Substitute]?>
  /// The values of injected properties under the layer. Nil once the layer has released them.
  let shadows = Lock<[ObjectIdentifier: Shadow]?>([:])
  /// Whether the layer keeps the instances of all kept services, also of those without an override in their graphs.
  let isolatesAll: Bool
  /// Nil if the layer allows external services.
  let strictness: Strictness?
  let ended = Atomic<Bool>(false)
  let succession = Lock(SuccessionReference())
  /// Whether the layer is the successor of another one.
  let isSuccessor: Bool

  /// Creates a layer over a container.
  ///
  /// - Throws: The error of a faulty registration.
  convenience init(of container: Container, _ overrides: consuming Registrations, _ strictness: Strictness?) throws {
    self.init(over: container, within: Self.active, isolatesAll: false, strictness)
    var batch = (consume overrides).takeWanted()
    try overlay.add(&batch)
  }

  /// Creates a layer without overrides.
  ///
  /// - Parameters:
  ///   - isolatesAll: Whether the layer keeps all instances built under it.
  ///   - strictness: Nil to allow external services.
  ///   - isSuccessor: Whether the layer is the successor of another one, and in force as long as it is not ended.
  init(
    over container: Container, within enclosing: OverrideLayer?, isolatesAll: Bool, _ strictness: Strictness? = nil,
    isSuccessor: Bool = false
  ) {
    self.container = container
    self.enclosing = enclosing
    depth = enclosing.map { $0.depth + 1 } ?? 0
    let overlay = Container(Substitution(for: container, at: depth))
    self.overlay = overlay
    substitutes = Lock([Self.id(of: container): Substitute(overlay)])
    self.isolatesAll = isolatesAll
    self.strictness = strictness
    self.isSuccessor = isSuccessor
  }

  deinit {
    // Of two threads that make a successor at the same time, one drops its own.
    if isSuccessor && !hasEnded { takeOutOfForce() }
  }

  // MARK: Duration

  /// Whether the process has any layer in force.
  static var isAnyInForce: Bool { count.load(ordering: .acquiring) > 0 }

  /// The layer in force for the calling task. A layer whose operation has ended is skipped, though the task-local may still
  /// refer to it.
  static var active: OverrideLayer? {
    guard isAnyInForce, let current else { return nil }
    return sequence(first: current, next: \.nextToSearch).first { !$0.hasEnded }
  }

  /// Runs a function under the given layer, or without one, regardless of the layer in force for the calling task.
  static func holding<Result>(_ layer: OverrideLayer?, _ body: () throws -> Result) rethrows -> Result {
    if active === layer { return try body() }
    return try $current.withValue(layer, operation: body)
  }

  /// Runs an asynchronous function under the given layer, or without one.
  static func holding<Result>(_ layer: OverrideLayer?, _ body: () async throws -> Result) async rethrows -> Result {
    if active === layer { return try await body() }
    return try await $current.withValue(layer, operation: body)
  }

  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  /// The layers in force for the calling task, innermost first.
  static var inForce: [OverrideLayer] {
    guard let active else { return [] }
    return sequence(first: active, next: \.nextToSearch).filter { !$0.hasEnded }
  }

  /// The layer to search after this one, which may have ended.
  ///
  /// The layer around a successor may have a successor, too, which is created on first use.
  var nextToSearch: OverrideLayer? {
    guard isSuccessor, let enclosing else { return enclosing }
    return enclosing.succession.withLock { $0.succession }?.live ?? enclosing
  }

  // MARK: Lookup

  /// Whether a lookup in the given container searches this layer.
  func applies(to asked: Container) -> Bool { asked.searchOrder.contains { $0 === container } }

  /// The binding that the innermost applicable layer has for an identity: a registration, or a decorator of the binding that is found
  /// without the layer.
  static func locate(_ identity: ServiceIdentity, for asked: Container) -> Located? {
    locate(identity, for: asked, in: overlays(for: asked)[...])
  }

  private static func locate(
    _ identity: ServiceIdentity, for asked: Container, in overlays: ArraySlice<Container>
  ) -> Located? {
    guard let overlay = overlays.first else { return nil }
    if let found = overlay.locateHere(identity) { return found }
    let enclosing = locate(identity, for: asked, in: overlays.dropFirst())
    guard overlay.hasDecorators else { return enclosing }
    return (enclosing ?? asked.locateRegistered(identity)).flatMap { found in
      let decorated = overlay.decorating(found)
      return decorated.binding === found.binding ? enclosing : decorated
    }
  }

  /// The overlays to search before the container itself, in order.
  static func overlays(for asked: Container) -> [Container] {
    isAnyInForce ? inForce.filter { $0.applies(to: asked) }.map(\.overlay) : []
  }

  /// Whether the layer has a registration or a decorator for a dependency, with any arguments, or for one of its relationship types.
  func overrides(_ dependency: Dependency) -> Bool {
    replaces(dependency)
      || overlay.decorators(of: dependency.identity.service).contains {
        $0.service.key == nil || dependency.mayTake($0.service)
      } || dependency.forms.contains { overrides(Dependency($0, .required)) }
  }

  /// Whether the layer has a registration for a dependency, with any arguments.
  func replaces(_ dependency: Dependency) -> Bool {
    overlay.ownBindings(of: dependency.identity.service).contains { dependency.mayTake($0.identity) }
  }
}

extension Binding {
  /// The binding that an alias shows: the override in force of its target, or else the target. Nil if this is no alias.
  ///
  /// - Parameter owner: The container that has the alias.
  func shown(asking container: Container, in owner: Container) -> Located? {
    primary.map { $0.activeOverride(asking: container) ?? Located(binding: $0, container: owner) }
  }

  /// The override that an alias of this binding shows: a registration that overrides a service also overrides its aliases. As in a
  /// container, decorators do not apply to an alias.
  func activeOverride(asking container: Container) -> Located? {
    for overlay in OverrideLayer.overlays(for: container) {
      guard let found = overlay.locateHere(identity) else { continue }
      // If alias and binding are in the same container, the alias determines whose instance it shows.
      return unsafe overlay === owner ? nil : Located(binding: found.binding.undecorated, container: overlay)
    }
    return nil
  }
}
