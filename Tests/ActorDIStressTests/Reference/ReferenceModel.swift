/// A reference model of containers, written to be obviously right: one thread, no caches, no optimisations.
struct ReferenceModel {
  typealias NodeID = Int

  enum Failure: Error, Equatable { case notRegistered, argumentMismatch, cycle, asyncRequired, planned }

  /// A program builds more instances than a comparison is worth.
  struct TooManyInstances: Error {}

  /// The result of a step.
  enum Outcome: Equatable {
    case nothing
    case made([NodeID])
    case byKey([Int: NodeID])
    case failed(Failure)
    case found(isRegistered: Bool, ready: NodeID?)
  }

  /// A wrong rule, to check that a program contradicts it.
  enum Mistake: CaseIterable {
    case parentBeforeLinks, madeByOwner, incompleteIsKept, resetKeeps, disposesInOrderOfCreation
    case argumentsAreIgnored, firstAliasWins, nearestElementsFirst, compositeContainsItself, overrideIsKept,
      cancelledIsKept, childDecoratorsAreIgnored, resetKeepsWrappers
  }

  var mistake: Mistake?

  /// A place for a kept instance. A service has one for each owner, and for each argument if it is kept per arguments.
  private struct Slot: Hashable {
    /// The number of the owner; for an instance that a call keeps, of the container that builds it; -1 for a transient.
    let owner: Int
    let argument: Int?
  }

  /// A plan with its kept instances and remaining failures: the model's binding.
  private final class Plan {
    /// The name of the registration, or of what a wrapper decorates.
    let name: ServiceName
    /// For a wrapper of an alias, the name of the registration that implements it.
    let implementer: ServiceName?
    let plan: ServicePlan
    var failuresLeft: Int
    var kept: [Slot: NodeID] = [:]
    /// The plan that this one wraps.
    let inner: (plan: Plan, owner: ModelContainer)?
    /// The plans that wrap this one.
    var wrappers: [Wrapping: Plan] = [:]

    init(_ name: ServiceName, _ plan: ServicePlan) {
      (self.name, implementer, self.plan, failuresLeft, inner) = (name, nil, plan, plan.failures, nil)
    }

    init(_ wrapping: Wrapping, of inner: Plan, of owner: ModelContainer) {
      (name, implementer, plan, failuresLeft) = (wrapping.name, wrapping.implementer, inner.plan, 0)
      self.inner = (inner, owner)
    }

    func failIfDue() throws(Failure) {
      guard failuresLeft > 0 else { return }
      failuresLeft -= 1
      throw .planned
    }
  }

  /// One decorator of one container, applied to a registration under a name.
  private struct Wrapping: Hashable {
    let name: ServiceName
    /// The registration that implements the name; nil if the name is the registration's own.
    let implementer: ServiceName?
    let container: Int
    let decorator: Int
  }

  private struct Registration {
    let name: ServiceName
    /// The registration that implements the name; nil if the name is the registration's own.
    let implementer: ServiceName?
    let plan: Plan
  }

  private final class ModelContainer {
    let number: Int
    let parent: ModelContainer?
    /// The registrations in order, including those of implemented protocols.
    var registrations: [Registration] = []
    var plans: [Plan] { registrations.filter { $0.implementer == nil }.map(\.plan) }
    var links: [(number: Int, container: ModelContainer)] = []
    var decorators: [(type: Int, key: Int?)] = []
    var isClosed = false
    init(_ number: Int, _ parent: ModelContainer?) { (self.number, self.parent) = (number, parent) }
  }

  private struct Node {
    let container: Int
    /// Whether the container disposes of the instance.
    let isDisposable: Bool
    /// Whether a decorator made it. Containers do not dispose of such instances.
    let isWrapper: Bool
    /// The position in the order of creation: an instance counts as created when its hooks are done.
    var rank: Int
    var isDisposed = false
    /// Whether an early disposal is allowed, since the registration was replaced.
    var mayEndEarly = false
  }

  private var containers = [ModelContainer(0, nil)]
  private var nodes: [Node] = []
  private var lastRank = 0
  private var lastLink = 0
  /// All plans with wrappers. A plan and its wrapper refer to each other.
  private let wrapped = Wrapped()
  private final class Wrapped { var plans: [Plan] = [] }

  private(set) var parts: [[NodeID]] = []
  private(set) var arguments: [Int] = []

  // MARK: Numbers to containers

  /// The open containers.
  var open: [Int] { containers.indices.filter { !containers[$0].isClosed } }

  func container(_ number: Int) -> Int? { open.isEmpty ? nil : open[number % open.count] }

  func link(_ number: Int) -> (container: Int, link: Int)? {
    let all = open.flatMap { container in containers[container].links.map { (container, $0.number) } }
    return all.isEmpty ? nil : all[number % all.count]
  }

  /// Whether a program may shut a container down: no other container has a link into its family.
  func mayShutDown(_ number: Int) -> Bool {
    let below = Set(family(of: number))
    return !open.contains { container in
      !below.contains(container) && containers[container].links.contains { below.contains($0.container.number) }
    }
  }

  /// Returns a container and its descendants, descendants first.
  func family(of number: Int) -> [Int] {
    open.filter { containers[$0].parent?.number == number }.reversed().flatMap(family) + [number]
  }

  // MARK: Structure

  mutating func makeChild(of parent: Int) -> Int {
    containers.append(ModelContainer(containers.count, containers[parent]))
    return containers.count - 1
  }

  mutating func link(_ container: Int, to other: Int) -> Int {
    lastLink += 1
    containers[container].links.append((lastLink, containers[other]))
    return lastLink
  }

  mutating func cancel(_ link: Int, of container: Int) { containers[container].links.removeAll { $0.number == link } }

  /// Removes reference cycles: links between containers, and the wrappers of plans.
  func end() {
    for container in containers { container.links = [] }
    for plan in wrapped.plans { plan.wrappers = [:] }
  }

  /// Returns a container and the others that its search visits, nearest first, each with the path to it.
  private func searchOrder(_ start: ModelContainer) -> [(container: ModelContainer, path: [ModelContainer])] {
    var order: [(container: ModelContainer, path: [ModelContainer])] = []
    func visit(_ container: ModelContainer, _ path: [ModelContainer]) {
      if order.contains(where: { $0.container === container }) { return }
      order.append((container, [container] + path))
      let parents = container.parent.map { [$0] } ?? []
      for next in mistake == .parentBeforeLinks
        ? parents + container.links.map(\.container) : container.links.map(\.container) + parents
      {
        visit(next, [container] + path)
      }
    }
    visit(start, [])
    return order
  }

  private func find(_ name: ServiceName, from start: ModelContainer) -> (plan: Plan, owner: ModelContainer)? {
    for (container, path) in searchOrder(start) {
      let found = container.registrations.filter { $0.name == name }
      // Of several aliases of a protocol, the last one.
      if let registration = mistake == .firstAliasWins ? found.first : found.last {
        return decorated(registration, path)
      }
    }
    return nil
  }

  /// Applies the decorators of all containers on the path to a registration, from its own container to the origin of the search.
  private func decorated(_ registration: Registration, _ path: [ModelContainer]) -> (plan: Plan, owner: ModelContainer)
  {
    var (plan, owner) = (registration.plan, path[0])
    for container in mistake == .childDecoratorsAreIgnored ? [path[0]] : path {
      for (number, decorator) in container.decorators.enumerated()
      where decorator.type == registration.name.type && (decorator.key == nil || decorator.key == registration.name.key)
      {
        let wrapping = Wrapping(
          name: registration.name, implementer: registration.implementer, container: container.number, decorator: number
        )
        let wrapper = plan.wrappers[wrapping] ?? Plan(wrapping, of: plan, of: owner)
        if plan.wrappers.updateValue(wrapper, forKey: wrapping) == nil { wrapped.plans.append(plan) }
        (plan, owner) = (wrapper, container)
      }
    }
    return (plan, owner)
  }

  /// Returns the elements of a type's collection, in order of registration, those of the farthest container first. A nearer registration
  /// hides a farther one of the same name. The requester itself is omitted.
  private func elements(_ type: Int, from start: ModelContainer, byKey: Bool, for requester: Build?) -> [(
    key: Int?, plan: Plan, owner: ModelContainer
  )] {
    struct Role: Hashable {
      let name: ServiceName
      let implementer: ServiceName?
    }
    typealias Element = (key: Int?, plan: Plan, owner: ModelContainer)
    var visible: [Int: [Element]] = [:]
    var seen: Set<Role> = []
    for (container, path) in searchOrder(start) {
      /// Whether a factory asks for the registration that it makes, or for a decorator of it. A hook finds its own instance.
      func isComposite(_ registration: Registration) -> Bool {
        guard let requester, registration.plan === requester.plan else { return false }
        let isDecorated = decorated(registration, path).plan !== registration.plan
        return !requester.isKept || requester.made == nil || isDecorated
      }
      let own = container.registrations.reversed().filter { registration in
        registration.name.type == type && !registration.name.takesArgument
          && (!isComposite(registration) || mistake == .compositeContainsItself)
          && !(byKey && registration.name.key == nil)
          && seen.insert(Role(name: registration.name, implementer: byKey ? nil : registration.implementer)).inserted
      }
      visible[container.number] = own.reversed().map { registration in
        let (plan, owner) = decorated(registration, path)
        return (registration.name.key, plan, owner)
      }
    }
    var listed: [Element] = []
    func list(_ container: ModelContainer) {
      guard let own = visible.removeValue(forKey: container.number) else { return }
      if mistake == .nearestElementsFirst { listed += own }
      if let parent = container.parent { list(parent) }
      for link in container.links { list(link.container) }
      if mistake != .nearestElementsFirst { listed += own }
    }
    list(start)
    return listed
  }

  // MARK: Registrations

  mutating func register(_ name: ServiceName, _ plan: ServicePlan, in container: Int) {
    let new = Plan(name, plan)
    let old = containers[container].registrations.first { $0.name == name && $0.implementer == nil }?.plan
    allowEarlyDisposal(of: old)
    containers[container].registrations.removeAll { $0.plan === old }
    containers[container].registrations.append(Registration(name: name, implementer: nil, plan: new))
    if let alias = plan.alias {
      containers[container].registrations.append(Registration(name: alias, implementer: name, plan: new))
    }
  }

  /// Returns the plans of a type and key, with any arguments.
  private func plans(_ name: ServiceName, in container: ModelContainer) -> [Plan] {
    container.registrations.filter { $0.implementer == nil && $0.name.type == name.type && $0.name.key == name.key }
      .map(\.plan)
  }

  /// - Returns: The instances to dispose of now.
  mutating func unregister(_ name: ServiceName, in container: Int) -> [NodeID] {
    let gone = plans(name, in: containers[container])
    containers[container].registrations.removeAll { registration in gone.contains { $0 === registration.plan } }
    return dispose(
      of: gone.flatMap { plan in
        // Instances that other containers keep are disposed of with these containers, or earlier.
        let own = plan.plan.scope == .scoped ? [] : drop(plan, of: container)
        allowEarlyDisposal(of: plan)
        return own
      })
  }

  mutating func decorate(type: Int, key: Int?, in container: Int) {
    containers[container].decorators.append((type, key))
  }

  private func drop(_ plan: Plan, of container: Int) -> [NodeID] {
    let dropped = plan.kept.filter { $0.key.owner == container }
    for slot in dropped.keys { plan.kept[slot] = nil }
    // The wrappers of an instance are dropped with it, whichever container keeps them.
    if !dropped.isEmpty && mistake != .resetKeepsWrappers {
      for wrapper in plan.wrappers.values {
        for owner in Set(wrapper.kept.keys.map(\.owner)) where plan.plan.scope != .scoped || owner == container {
          _ = drop(wrapper, of: owner)
        }
      }
    }
    return Array(dropped.values)
  }

  /// Returns all wrappers, or those of a service, under its own name or its protocol's.
  private func wrappers(_ name: ServiceName? = nil) -> [Plan] {
    func around(_ plan: Plan) -> [(Wrapping, Plan)] {
      plan.wrappers.flatMap { [($0.key, $0.value)] + around($0.value) }
    }
    return containers.flatMap(\.plans).flatMap(around).filter { wrapping, _ in
      guard let name else { return true }
      return [wrapping.name, wrapping.implementer].contains { $0?.type == name.type && $0?.key == name.key }
    }.map(\.1)
  }

  private mutating func allowEarlyDisposal(of plan: Plan?) {
    for id in plan?.kept.values ?? [:].values { nodes[id].mayEndEarly = true }
  }

  // MARK: Instances

  /// One resolve call, with the instances that its graph shares.
  private struct Call {
    var graph: [ObjectIdentifier: [Slot: NodeID]] = [:]
    /// The builds in progress, outermost first.
    var building: [Build] = []
    /// The held instances: each depends on an incomplete one.
    var held: [Held] = []
    /// The kept instances.
    var complete: [NodeID] = []
    /// The registration of the last asynchronous service that a synchronous factory has asked for.
    var refused: ServiceName?

    /// Ties the innermost kept build to another one, whose instance it has taken. The unkept builds within it have taken that, too.
    mutating func take(_ index: Int) {
      guard let own = building.lastIndex(where: \.isKept) else { return }
      for unkept in building.indices.dropFirst(own + 1) { building[unkept].hasTaken = true }
      if own > index { building[own].taken = min(building[own].taken, index) }
    }

    /// Ends the innermost build, which has made its instance.
    ///
    /// - Returns: The instances that count as created now, in the order of their factories.
    mutating func end(_ id: NodeID) -> [NodeID] {
      let build = building.removeLast()
      guard build.isKept else {
        if build.hasTaken, let keeper = building.lastIndex(where: \.isKept) { building[keeper].unkept.append(id) }
        return [id]
      }
      let own = building.count
      held.append(
        Held(plan: build.plan, slot: build.slot, id: id, unkept: build.unkept, tie: min(build.taken, own)))
      for index in held.indices where held[index].tie >= own { held[index].tie = min(build.taken, own) }
      let done = held.filter { $0.tie == own }
      for done in done { keep(done) }
      held.removeAll { $0.tie == own }
      return done.flatMap { [$0.id] + $0.unkept }
    }

    private mutating func keep(_ done: Held) {
      complete.append(done.id)
      if done.plan.plan.scope == .graph {
        graph[ObjectIdentifier(done.plan), default: [:]][done.slot] = done.id
      } else {
        done.plan.kept[done.slot] = done.id
      }
    }
  }

  private struct Build {
    let plan: Plan
    let slot: Slot
    /// The instance; nil until the factory has returned.
    var made: NodeID?
    /// The index of the outermost incomplete build whose instance this build has taken.
    var taken = Int.max
    /// For an unkept build: whether it has taken the instance of an incomplete build.
    var hasTaken = false
    /// For a kept build: the complete unkept instances that have taken the instance of an incomplete build.
    var unkept: [NodeID] = []
    var isKept: Bool { plan.plan.scope != .transient }
  }

  private struct Held {
    let plan: Plan
    let slot: Slot
    let id: NodeID
    let unkept: [NodeID]
    /// The index of the build with which this one ends.
    var tie: Int
  }

  /// - Throws: ``TooManyInstances`` if the program builds too many instances.
  mutating func resolve(_ request: Request, from container: Int, isAsynchronous: Bool) throws -> Outcome {
    var call = Call()
    let before = nodes.count
    let outcome: Outcome
    do throws(Failure) {
      let made = try resolve(request, from: containers[container], isAsynchronous, &call)
      outcome =
        if case .byKey = request { .byKey(Dictionary(uniqueKeysWithValues: made.map { ($0.key ?? 0, $0.id) })) } else {
          .made(made.map(\.id))
        }
    } catch {
      outcome = .failed(error)
    }
    for id in call.complete { nodes[id].mayEndEarly = false }
    if nodes.count > before + Self.most { throw TooManyInstances() }
    return outcome
  }

  private static var most: Int { 200 }

  /// Returns whether a type and key are registered, with any arguments.
  private func isRegistered(_ name: ServiceName, from start: ModelContainer) -> Bool {
    searchOrder(start).contains { container, _ in
      container.registrations.contains { $0.name.type == name.type && $0.name.key == name.key }
    }
  }

  func inspect(_ name: ServiceName, from container: Int) -> Outcome {
    // `contains` and `resolveIfReady` take no arguments here.
    let name = ServiceName(type: name.type, key: name.key, takesArgument: false)
    guard let (plan, owner) = find(name, from: containers[container]) else {
      return .found(isRegistered: isRegistered(name, from: containers[container]), ready: nil)
    }
    return .found(isRegistered: true, ready: plan.kept[place(plan, owner, origin: containers[container], 0).slot])
  }

  /// Returns whether a resolve would begin a cancellable build.
  mutating func cancel(_ name: ServiceName, from container: Int) -> Bool {
    guard let (plan, owner) = find(name, from: containers[container]), plan.plan.isAsynchronous,
      [.shared, .singleton, .scoped].contains(plan.plan.scope)
    else { return false }
    let slot = place(plan, owner, origin: containers[container], 0).slot
    for (plan, owner) in sequence(first: (plan, owner), next: { $0.0.inner }) {
      guard plan.kept[place(plan, owner, origin: containers[container], 0).slot] == nil else { return false }
    }
    if mistake == .cancelledIsKept { plan.kept[slot] = node(of: containers[slot.owner], plan, argument: 0) }
    return true
  }

  /// Returns the results of two resolves under an override, and the instances to dispose of after them.
  mutating func override(_ name: ServiceName, _ scope: ServicePlan.ScopeKind, in container: Int) -> (
    [Outcome], [NodeID]
  ) {
    let plan = Plan(name, ServicePlan(scope: scope))
    let first = node(of: containers[container], plan, argument: 0)
    let isKept = scope != .transient && scope != .graph
    let second = isKept ? first : node(of: containers[container], plan, argument: 0)
    if mistake == .overrideIsKept {
      containers[container].registrations.append(Registration(name: name, implementer: nil, plan: plan))
    }
    return ([.made([first]), .made([second])], dispose(of: Array(Set([first, second]))))
  }

  /// Returns the slot of an instance, and the container that builds it.
  private func place(_ plan: Plan, _ owner: ModelContainer, origin: ModelContainer, _ argument: Int) -> (
    slot: Slot, builder: ModelContainer
  ) {
    let value = plan.plan.isPerArgument && mistake != .argumentsAreIgnored ? argument : nil
    return switch plan.plan.scope {
    case .transient: (Slot(owner: -1, argument: value), mistake == .madeByOwner ? owner : origin)
    // A kept service is built from its owner, so it shares no instance with the services of the container that asks for it.
    case .graph: (Slot(owner: origin.number, argument: value), mistake == .madeByOwner ? owner : origin)
    case .shared, .singleton: (Slot(owner: owner.number, argument: value), owner)
    case .scoped: (Slot(owner: origin.number, argument: value), origin)
    }
  }

  private typealias Made = (key: Int?, id: NodeID)

  private mutating func resolve(
    _ request: Request, from origin: ModelContainer, _ isAsynchronous: Bool, _ call: inout Call
  ) throws(Failure) -> [Made] {
    var made: [Made] = []
    switch request {
    case .one(let name, let argument):
      guard let (plan, owner) = find(name, from: origin) else {
        throw isRegistered(name, from: origin) ? .argumentMismatch : .notRegistered
      }
      made.append((name.key, try resolve(plan, owner, argument, from: origin, isAsynchronous, &call)))
    case .all(let type), .byKey(let type):
      let byKey = if case .byKey = request { true } else { false }
      for (key, plan, owner) in elements(type, from: origin, byKey: byKey, for: call.building.last) {
        made.append((key, try resolve(plan, owner, 0, from: origin, isAsynchronous, &call)))
      }
    }
    return made
  }

  private mutating func resolve(
    _ plan: Plan, _ owner: ModelContainer, _ argument: Int, from origin: ModelContainer, _ isAsynchronous: Bool,
    _ call: inout Call
  ) throws(Failure) -> NodeID {
    let (slot, builder) = place(plan, owner, origin: origin, argument)
    if let existing = plan.kept[slot] ?? call.graph[ObjectIdentifier(plan)]?[slot] { return existing }
    if let held = call.held.first(where: { $0.plan === plan && $0.slot == slot }) {
      call.take(held.tie)
      return held.id
    }
    let under = call.building.lastIndex { $0.plan === plan && $0.slot == slot }
    if let under, call.building[under].isKept, let made = call.building[under].made {
      call.take(under)
      return made
    }
    if plan.plan.isAsynchronous && !isAsynchronous {
      call.refused = plan.name
      throw .asyncRequired
    }
    if let under, call.building[under].isKept || !mayRecur(plan, call.building[(under + 1)...]) { throw .cycle }

    call.building.append(Build(plan: plan, slot: slot))
    let id = try make(plan, by: builder, argument, isAsynchronous, &call)
    if mistake == .incompleteIsKept { call.building[call.building.count - 1].taken = .max }
    for id in call.end(id).sorted(by: { nodes[$0].rank < nodes[$1].rank }) { nodes[id].rank = nextRank() }
    if let held = call.held.first(where: { $0.id == id }) { call.take(held.tie) }
    return id
  }

  /// Whether a transient can depend on another instance of its service: for another argument, or through a service that its owner keeps,
  /// which is built with the owner's registrations.
  private func mayRecur(_ plan: Plan, _ between: ArraySlice<Build>) -> Bool {
    plan.name.takesArgument || between.contains { [.shared, .singleton].contains($0.plan.plan.scope) }
  }

  private mutating func node(of container: ModelContainer, _ plan: Plan, argument: Int) -> NodeID {
    let isWrapper = plan.inner != nil
    nodes.append(
      Node(
        container: container.number, isDisposable: plan.plan.scope != .shared && !isWrapper, isWrapper: isWrapper,
        rank: nextRank()))
    parts.append([])
    arguments.append(argument)
    return nodes.count - 1
  }

  private mutating func nextRank() -> Int {
    lastRank += 1
    return lastRank
  }

  /// Resolves a decorator's inner instance.
  ///
  /// For an asynchronous caller, a kept synchronous service is built again if it needs an asynchronous one of the name that the decorator
  /// decorates. What its hooks have built for it stays, unless it depends on the failed build.
  private mutating func wrapped(
    by wrapper: Plan, _ inner: Plan, _ owner: ModelContainer, _ argument: Int, by builder: ModelContainer,
    _ isAsynchronous: Bool, _ call: inout Call
  ) throws(Failure) -> NodeID {
    let building = call.building
    do throws(Failure) {
      return try resolve(inner, owner, argument, from: builder, inner.plan.isAsynchronous, &call)
    } catch {
      guard error == .asyncRequired, isAsynchronous, !inner.plan.isAsynchronous, inner.plan.scope != .transient,
        [wrapper.name, wrapper.implementer].contains(call.refused)
      else { throw error }
      call.building = building
      call.held.removeAll { $0.tie >= building.count }
      return try resolve(inner, owner, argument, from: builder, true, &call)
    }
  }

  private mutating func make(
    _ plan: Plan, by builder: ModelContainer, _ argument: Int, _ isAsynchronous: Bool, _ call: inout Call
  ) throws(Failure) -> NodeID {
    if let (inner, owner) = plan.inner {
      let wrapped = try wrapped(by: plan, inner, owner, argument, by: builder, isAsynchronous, &call)
      let id = node(of: builder, plan, argument: arguments[wrapped])
      parts[id] = [wrapped]
      return id
    }
    var made: [NodeID] = []
    for part in plan.plan.dependencies {
      made += try resolve(part, from: builder, plan.plan.isAsynchronous, &call).map(\.id)
    }
    if plan.plan.hookDependencies == nil { try plan.failIfDue() }
    let id = node(of: builder, plan, argument: argument)
    parts[id] = made
    // If a hook or a dependency fails, the instance is disposed of in the background.
    nodes[id].mayEndEarly = true
    if let requests = plan.plan.hookDependencies {
      call.building[call.building.count - 1].made = id
      for part in requests { parts[id] += try resolve(part, from: builder, plan.plan.isAsynchronous, &call).map(\.id) }
      try plan.failIfDue()
    }
    if call.building.last?.isKept == false { nodes[id].mayEndEarly = false }
    return id
  }

  // MARK: Ends

  /// - Returns: The instances to dispose of now, in this order.
  mutating func reset(_ name: ServiceName, in container: Int) -> [NodeID] {
    if mistake == .resetKeeps { return [] }
    // Instances of its own registrations, and scoped instances of other containers' registrations.
    let own = plans(name, in: containers[container]).filter { $0.plan.scope != .scoped }
    let scoped = containers.flatMap { plans(name, in: $0) }.filter { $0.plan.scope == .scoped }
    if mistake != .resetKeepsWrappers { for wrapper in wrappers(name) { _ = drop(wrapper, of: container) } }
    return dispose(of: (own + scoped).flatMap { drop($0, of: container) })
  }

  mutating func resetAll(in container: Int) -> [NodeID] {
    family(of: container).flatMap { member in
      // Instances of replaced registrations may be disposed of in the background.
      dispose(of: (containers.flatMap(\.plans) + wrappers()).flatMap { drop($0, of: member) })
    }
  }

  mutating func shutDown(_ container: Int) -> [NodeID] {
    family(of: container).flatMap { member in
      containers[member].isClosed = true
      for plan in containers.flatMap(\.plans) + wrappers() { _ = drop(plan, of: member) }
      return dispose(of: nodes.indices.filter { nodes[$0].container == member })
    }
  }

  /// Disposes of instances, last created first, each once.
  private mutating func dispose(of ids: [NodeID]) -> [NodeID] {
    let due = ids.filter { nodes[$0].isDisposable && !nodes[$0].isDisposed }.sorted { nodes[$0].rank > nodes[$1].rank }
    for id in due { nodes[id].isDisposed = true }
    return due
  }

  /// Returns whether an order of disposals is allowed: a container's last created instance first, after those of its descendants.
  func isOrder(_ ids: [NodeID]) -> Bool {
    // Instances of replaced registrations may be disposed of in the background.
    let ids = ids.filter { !nodes[$0].mayEndEarly }
    if mistake == .disposesInOrderOfCreation { return ids == ids.sorted { nodes[$0].rank < nodes[$1].rank } }
    return ids.indices.allSatisfy { index in
      ids[..<index].allSatisfy { earlier in
        nodes[earlier].container == nodes[ids[index]].container
          ? nodes[earlier].rank > nodes[ids[index]].rank
          : !isAbove(nodes[earlier].container, nodes[ids[index]].container)
      }
    }
  }

  private func isAbove(_ container: Int, _ other: Int) -> Bool {
    sequence(first: containers[other], next: \.parent).dropFirst().contains { $0.number == container }
  }

  /// Returns whether an early disposal of an instance is allowed, and records it.
  mutating func mayDispose(of id: NodeID) -> Bool {
    guard nodes.indices.contains(id), !nodes[id].isWrapper, !nodes[id].isDisposed || !nodes[id].isDisposable,
      nodes[id].mayEndEarly || !nodes[id].isDisposable
    else { return false }
    nodes[id].isDisposed = true
    return true
  }
}
