/// What containers do, written to be obviously right: one thread, no caches, nothing optimised. See CONTRACT §§ 3–5 and 8.
struct ReferenceModel {
  typealias NodeID = Int

  enum Failure: Error, Equatable { case notRegistered, argumentMismatch, cycle, asyncRequired, planned }

  /// More is made than a program is worth.
  struct TooMuch: Error {}

  /// What a program sees of a step.
  enum Outcome: Equatable {
    case nothing
    case made([NodeID])
    case byKey([Int: NodeID])
    case failed(Failure)
    case found(isRegistered: Bool, ready: NodeID?)
  }

  /// A rule that is bent, to see that a program finds that.
  enum Mistake: CaseIterable {
    case parentBeforeLinks, madeByOwner, incompleteIsKept, resetKeeps, endsInOrderOfCreation
    case argumentsAreAlike, firstAliasCounts, nearestElementsFirst, compositeContainsItself, overrideStays,
      cancelledIsKept, decoratorsStayAtHome, decoratedStays
  }

  var mistake: Mistake?

  /// Who keeps an instance, of several for different arguments.
  private struct Keeper: Hashable {
    /// Of a container.
    let home: Int
    let argument: Int?
  }

  private final class Plan {
    let plan: ServicePlan
    let takesArgument: Bool
    var failuresLeft: Int
    var kept: [Keeper: NodeID] = [:]
    /// The plan that this one wraps.
    let inner: (plan: Plan, owner: Home)?
    /// The plans that wrap this one.
    var wrappers: [Wrapping: Plan] = [:]

    init(_ plan: ServicePlan, takesArgument: Bool = false) {
      (self.plan, self.takesArgument, failuresLeft, inner) = (plan, takesArgument, plan.failures, nil)
    }

    init(wrapping inner: Plan, of owner: Home) {
      (plan, takesArgument, failuresLeft) = (inner.plan, inner.takesArgument, 0)
      self.inner = (inner, owner)
    }

    func failIfDue() throws(Failure) {
      guard failuresLeft > 0 else { return }
      failuresLeft -= 1
      throw .planned
    }
  }

  /// One decorator of one container, applied to what is found under a name.
  private struct Wrapping: Hashable {
    let name: ServiceName
    /// Whose protocol the name is.
    let implementer: ServiceName?
    let home: Int
    let decorator: Int
  }

  private struct Entry {
    let name: ServiceName
    /// Whose protocol it is.
    let implementer: ServiceName?
    let plan: Plan
  }

  private final class Home {
    let number: Int
    let parent: Home?
    /// In order of registration, the protocols that these implement among them.
    var entries: [Entry] = []
    var plans: [Plan] { entries.filter { $0.implementer == nil }.map(\.plan) }
    var links: [(number: Int, home: Home)] = []
    var decorators: [(type: Int, key: Int?)] = []
    var isClosed = false
    init(_ number: Int, _ parent: Home?) { (self.number, self.parent) = (number, parent) }
  }

  private struct Node {
    let home: Int
    /// Whether it has to be disposed of with its container.
    let hasEnd: Bool
    /// Whether a decorator made it. Containers do not dispose of such instances.
    let isWrapper: Bool
    var isDisposed = false
    /// Whether it may be disposed of at any time, since its registration was replaced.
    var isLoose = false
  }

  private var homes = [Home(0, nil)]
  private var nodes: [Node] = []
  private var lastLink = 0
  /// All plans that others wrap: the two refer to each other.
  private let wrapped = Wrapped()
  private final class Wrapped { var plans: [Plan] = [] }

  private(set) var parts: [[NodeID]] = []
  private(set) var arguments: [Int] = []

  // MARK: Numbers to containers

  /// The open containers.
  var open: [Int] { homes.indices.filter { !homes[$0].isClosed } }

  func container(_ number: Int) -> Int? { open.isEmpty ? nil : open[number % open.count] }

  func link(_ number: Int) -> (home: Int, link: Int)? {
    let all = open.flatMap { home in homes[home].links.map { (home, $0.number) } }
    return all.isEmpty ? nil : all[number % all.count]
  }

  /// A container may be shut down if nobody else finds services in it.
  func mayShutDown(_ number: Int) -> Bool {
    let below = Set(family(of: number))
    return !open.contains { home in
      !below.contains(home) && homes[home].links.contains { below.contains($0.home.number) }
    }
  }

  /// A container and all below it, those below first.
  func family(of number: Int) -> [Int] {
    open.filter { homes[$0].parent?.number == number }.reversed().flatMap(family) + [number]
  }

  // MARK: Structure

  mutating func makeChild(of parent: Int) -> Int {
    homes.append(Home(homes.count, homes[parent]))
    return homes.count - 1
  }

  mutating func link(_ home: Int, to other: Int) -> Int {
    lastLink += 1
    homes[home].links.append((lastLink, homes[other]))
    return lastLink
  }

  mutating func cancel(_ link: Int, of home: Int) { homes[home].links.removeAll { $0.number == link } }

  /// Takes apart what refers to itself: containers in a circle of links, and plans with those that wrap them.
  func end() {
    for home in homes { home.links = [] }
    for plan in wrapped.plans { plan.wrappers = [:] }
  }

  /// A container and those that it looks in, nearest first.
  private func searchOrder(_ start: Home) -> [(home: Home, way: [Home])] {
    var order: [(home: Home, way: [Home])] = []
    func visit(_ home: Home, _ way: [Home]) {
      if order.contains(where: { $0.home === home }) { return }
      order.append((home, [home] + way))
      let parents = home.parent.map { [$0] } ?? []
      for next in mistake == .parentBeforeLinks ? parents + home.links.map(\.home) : home.links.map(\.home) + parents {
        visit(next, [home] + way)
      }
    }
    visit(start, [])
    return order
  }

  private func find(_ name: ServiceName, from start: Home) -> (plan: Plan, owner: Home)? {
    for (home, way) in searchOrder(start) {
      let found = home.entries.filter { $0.name == name }
      // Of several that implement a protocol, the last one.
      if let entry = mistake == .firstAliasCounts ? found.first : found.last { return decorated(entry, way) }
    }
    return nil
  }

  /// Applies the decorators of all containers on the way to an entry, from the entry's own container to the one that is asked.
  private func decorated(_ entry: Entry, _ way: [Home]) -> (plan: Plan, owner: Home) {
    var (plan, owner) = (entry.plan, way[0])
    for home in mistake == .decoratorsStayAtHome ? [way[0]] : way {
      for (number, decorator) in home.decorators.enumerated()
      where decorator.type == entry.name.type && (decorator.key == nil || decorator.key == entry.name.key) {
        let wrapping = Wrapping(
          name: entry.name, implementer: entry.implementer, home: home.number, decorator: number)
        let wrapper = plan.wrappers[wrapping] ?? Plan(wrapping: plan, of: owner)
        if plan.wrappers.updateValue(wrapper, forKey: wrapping) == nil { wrapped.plans.append(plan) }
        (plan, owner) = (wrapper, home)
      }
    }
    return (plan, owner)
  }

  /// What stands for a type in a container or those that it looks in, in order of registration, the farthest first. A nearer one hides a
  /// farther one of the same name; what is being made is left out.
  private func elements(_ type: Int, from start: Home, byKey: Bool, for maker: Plan?) -> [(
    key: Int?, plan: Plan, owner: Home
  )] {
    struct Role: Hashable {
      let name: ServiceName
      let implementer: ServiceName?
    }
    typealias Element = (key: Int?, plan: Plan, owner: Home)
    var visible: [Int: [Element]] = [:]
    var seen: Set<Role> = []
    for (home, way) in searchOrder(start) {
      let own = home.entries.reversed().filter { entry in
        entry.name.type == type && !entry.name.takesArgument
          && (entry.plan !== maker || mistake == .compositeContainsItself)
          && !(byKey && entry.name.key == nil)
          && seen.insert(Role(name: entry.name, implementer: byKey ? nil : entry.implementer)).inserted
      }
      visible[home.number] = own.reversed().map { entry in
        let (plan, owner) = decorated(entry, way)
        return (entry.name.key, plan, owner)
      }
    }
    var listed: [Element] = []
    func list(_ home: Home) {
      guard let own = visible.removeValue(forKey: home.number) else { return }
      if mistake == .nearestElementsFirst { listed += own }
      if let parent = home.parent { list(parent) }
      for link in home.links { list(link.home) }
      if mistake != .nearestElementsFirst { listed += own }
    }
    list(start)
    return listed
  }

  // MARK: Registrations

  mutating func register(_ name: ServiceName, _ plan: ServicePlan, in home: Int) {
    let new = Plan(plan, takesArgument: name.takesArgument)
    let old = homes[home].entries.first { $0.name == name && $0.implementer == nil }?.plan
    loosen(old)
    homes[home].entries.removeAll { $0.plan === old }
    homes[home].entries.append(Entry(name: name, implementer: nil, plan: new))
    if let alias = plan.alias { homes[home].entries.append(Entry(name: alias, implementer: name, plan: new)) }
  }

  /// Those of a name, whatever their arguments.
  private func plans(_ name: ServiceName, in home: Home) -> [Plan] {
    home.entries.filter { $0.implementer == nil && $0.name.type == name.type && $0.name.key == name.key }.map(\.plan)
  }

  /// - Returns: What has to be disposed of now.
  mutating func unregister(_ name: ServiceName, in home: Int) -> [NodeID] {
    let gone = plans(name, in: homes[home])
    homes[home].entries.removeAll { entry in gone.contains { $0 === entry.plan } }
    return dispose(
      of: gone.flatMap { plan in
        // What other containers keep of it goes with them, or earlier.
        let own = plan.plan.keeping == .scoped ? [] : drop(plan, of: home)
        loosen(plan)
        return own
      })
  }

  mutating func decorate(type: Int, key: Int?, in home: Int) { homes[home].decorators.append((type, key)) }

  private func drop(_ plan: Plan, of home: Int) -> [NodeID] {
    let dropped = plan.kept.filter { $0.key.home == home }
    for keeper in dropped.keys { plan.kept[keeper] = nil }
    // The wrappers of an instance are dropped with it, whichever container keeps them.
    if !dropped.isEmpty && mistake != .decoratedStays {
      for wrapper in plan.wrappers.values {
        for keeper in Set(wrapper.kept.keys.map(\.home)) where plan.plan.keeping != .scoped || keeper == home {
          _ = drop(wrapper, of: keeper)
        }
      }
    }
    return Array(dropped.values)
  }

  /// All wrappers, or those around a service, under its own name or that of its protocol.
  private func wrappers(_ name: ServiceName? = nil) -> [Plan] {
    func around(_ plan: Plan) -> [(Wrapping, Plan)] {
      plan.wrappers.flatMap { [($0.key, $0.value)] + around($0.value) }
    }
    return homes.flatMap(\.plans).flatMap(around).filter { wrapping, _ in
      guard let name else { return true }
      return [wrapping.name, wrapping.implementer].contains { $0?.type == name.type && $0?.key == name.key }
    }.map(\.1)
  }

  private mutating func loosen(_ plan: Plan?) {
    for id in plan?.kept.values ?? [:].values { nodes[id].isLoose = true }
  }

  // MARK: Instances

  /// One call, with what its call tree shares.
  private struct Call {
    var graph: [ObjectIdentifier: [Keeper: NodeID]] = [:]
    /// What is being made, outermost first.
    var building: [Build] = []
    /// What is complete but for something that it was made from.
    var held: [Held] = []
    /// What is kept.
    var complete: [NodeID] = []

    /// The innermost build that keeps anything ends with another one, whose instance it has taken.
    mutating func take(_ index: Int) {
      guard let own = building.lastIndex(where: \.isKept), own > index else { return }
      building[own].taken = min(building[own].taken, index)
    }

    /// The innermost build has made its instance.
    mutating func end(_ id: NodeID) {
      let build = building.removeLast()
      guard build.isKept else { return }
      let own = building.count
      held.append(Held(plan: build.plan, keeper: build.keeper, id: id, tie: min(build.taken, own)))
      for index in held.indices where held[index].tie >= own { held[index].tie = min(build.taken, own) }
      for done in held where done.tie == own { keep(done) }
      held.removeAll { $0.tie == own }
    }

    private mutating func keep(_ done: Held) {
      complete.append(done.id)
      if done.plan.plan.keeping == .graph {
        graph[ObjectIdentifier(done.plan), default: [:]][done.keeper] = done.id
      } else {
        done.plan.kept[done.keeper] = done.id
      }
    }
  }

  private struct Build {
    let plan: Plan
    let keeper: Keeper
    /// Once the factory has run.
    var made: NodeID?
    /// The outermost build whose instance it has taken before that was complete.
    var taken = Int.max
    var isKept: Bool { plan.plan.keeping != .transient }
  }

  private struct Held {
    let plan: Plan
    let keeper: Keeper
    let id: NodeID
    /// The build that it ends with.
    var tie: Int
  }

  /// - Throws: ``TooMuch``.
  mutating func resolve(_ wish: Wish, from home: Int, isAsynchronous: Bool) throws -> Outcome {
    var call = Call()
    let before = nodes.count
    let outcome: Outcome
    do throws(Failure) {
      let made = try resolve(wish, from: homes[home], isAsynchronous, &call)
      outcome =
        if case .byKey = wish { .byKey(Dictionary(uniqueKeysWithValues: made.map { ($0.key ?? 0, $0.id) })) } else {
          .made(made.map(\.id))
        }
    } catch {
      outcome = .failed(error)
    }
    for id in call.complete { nodes[id].isLoose = false }
    if nodes.count > before + Self.most { throw TooMuch() }
    return outcome
  }

  private static var most: Int { 200 }

  /// With whatever arguments.
  private func isRegistered(_ name: ServiceName, from start: Home) -> Bool {
    searchOrder(start).contains { home, _ in
      home.entries.contains { $0.name.type == name.type && $0.name.key == name.key }
    }
  }

  func look(_ name: ServiceName, from home: Int) -> Outcome {
    // Neither asks for arguments.
    let name = ServiceName(type: name.type, key: name.key, takesArgument: false)
    guard let (plan, owner) = find(name, from: homes[home]) else {
      return .found(isRegistered: isRegistered(name, from: homes[home]), ready: nil)
    }
    return .found(isRegistered: true, ready: plan.kept[place(plan, owner, asked: homes[home], 0).keeper])
  }

  /// Whether a resolve would begin a build that is cancelled with it.
  mutating func cancel(_ name: ServiceName, from home: Int) -> Bool {
    guard let (plan, owner) = find(name, from: homes[home]), plan.plan.isAsynchronous,
      [.shared, .singleton, .scoped].contains(plan.plan.keeping)
    else { return false }
    let keeper = place(plan, owner, asked: homes[home], 0).keeper
    for (plan, owner) in sequence(first: (plan, owner), next: { $0.0.inner }) {
      guard plan.kept[place(plan, owner, asked: homes[home], 0).keeper] == nil else { return false }
    }
    if mistake == .cancelledIsKept { plan.kept[keeper] = node(of: homes[keeper.home], plan, argument: 0) }
    return true
  }

  /// Two resolves while another registration is in force, and what has to be disposed of after them.
  mutating func override(_ name: ServiceName, _ keeping: ServicePlan.Keeping, in home: Int) -> ([Outcome], [NodeID]) {
    let plan = Plan(ServicePlan(keeping: keeping))
    let first = node(of: homes[home], plan, argument: 0)
    let isKept = keeping != .transient && keeping != .graph
    let second = isKept ? first : node(of: homes[home], plan, argument: 0)
    if mistake == .overrideStays { homes[home].entries.append(Entry(name: name, implementer: nil, plan: plan)) }
    return ([.made([first]), .made([second])], dispose(of: Array(Set([first, second]))))
  }

  /// Who keeps an instance, and which container makes it.
  private func place(_ plan: Plan, _ owner: Home, asked: Home, _ argument: Int) -> (keeper: Keeper, builder: Home) {
    let value = plan.plan.isPerArgument && mistake != .argumentsAreAlike ? argument : nil
    return switch plan.plan.keeping {
    case .transient, .graph: (Keeper(home: -1, argument: value), mistake == .madeByOwner ? owner : asked)
    case .shared, .singleton: (Keeper(home: owner.number, argument: value), owner)
    case .scoped: (Keeper(home: asked.number, argument: value), asked)
    }
  }

  private typealias Made = (key: Int?, id: NodeID)

  private mutating func resolve(
    _ wish: Wish, from asked: Home, _ isAsynchronous: Bool, _ call: inout Call
  ) throws(Failure) -> [Made] {
    var made: [Made] = []
    switch wish {
    case .one(let name, let argument):
      guard let (plan, owner) = find(name, from: asked) else {
        throw isRegistered(name, from: asked) ? .argumentMismatch : .notRegistered
      }
      made.append((name.key, try resolve(plan, owner, argument, from: asked, isAsynchronous, &call)))
    case .all(let type), .byKey(let type):
      let byKey = if case .byKey = wish { true } else { false }
      for (key, plan, owner) in elements(type, from: asked, byKey: byKey, for: call.building.last?.plan) {
        made.append((key, try resolve(plan, owner, 0, from: asked, isAsynchronous, &call)))
      }
    }
    return made
  }

  private mutating func resolve(
    _ plan: Plan, _ owner: Home, _ argument: Int, from asked: Home, _ isAsynchronous: Bool, _ call: inout Call
  ) throws(Failure) -> NodeID {
    let (keeper, builder) = place(plan, owner, asked: asked, argument)
    if let existing = plan.kept[keeper] ?? call.graph[ObjectIdentifier(plan)]?[keeper] { return existing }
    if let held = call.held.first(where: { $0.plan === plan && $0.keeper == keeper }) {
      call.take(held.tie)
      return held.id
    }
    let under = call.building.firstIndex { $0.plan === plan && $0.keeper == keeper }
    if let under, call.building[under].isKept, let made = call.building[under].made {
      call.take(under)
      return made
    }
    if plan.plan.isAsynchronous && !isAsynchronous { throw .asyncRequired }
    // A transient may be made from another one, for another argument.
    if let under, call.building[under].isKept || !plan.takesArgument { throw .cycle }

    call.building.append(Build(plan: plan, keeper: keeper))
    let id = try make(plan, by: builder, argument, isAsynchronous, &call)
    if mistake == .incompleteIsKept { call.building[call.building.count - 1].taken = .max }
    call.end(id)
    if let held = call.held.first(where: { $0.id == id }) { call.take(held.tie) }
    return id
  }

  private mutating func node(of home: Home, _ plan: Plan, argument: Int) -> NodeID {
    let isWrapper = plan.inner != nil
    nodes.append(Node(home: home.number, hasEnd: plan.plan.keeping != .shared && !isWrapper, isWrapper: isWrapper))
    parts.append([])
    arguments.append(argument)
    return nodes.count - 1
  }

  /// A kept synchronous service behind a decorator is made again for an asynchronous caller, if it needs something asynchronous.
  private mutating func wrapped(
    _ inner: Plan, _ owner: Home, _ argument: Int, by builder: Home, _ isAsynchronous: Bool, _ call: inout Call
  ) throws(Failure) -> NodeID {
    let (building, held) = (call.building, call.held)
    do throws(Failure) {
      return try resolve(inner, owner, argument, from: builder, inner.plan.isAsynchronous, &call)
    } catch {
      guard error == .asyncRequired, isAsynchronous, !inner.plan.isAsynchronous, inner.plan.keeping != .transient
      else { throw error }
      (call.building, call.held) = (building, held)
      return try resolve(inner, owner, argument, from: builder, true, &call)
    }
  }

  private mutating func make(
    _ plan: Plan, by builder: Home, _ argument: Int, _ isAsynchronous: Bool, _ call: inout Call
  ) throws(Failure) -> NodeID {
    if let (inner, owner) = plan.inner {
      let wrapped = try wrapped(inner, owner, argument, by: builder, isAsynchronous, &call)
      let id = node(of: builder, plan, argument: arguments[wrapped])
      parts[id] = [wrapped]
      return id
    }
    var made: [NodeID] = []
    for part in plan.plan.parts { made += try resolve(part, from: builder, plan.plan.isAsynchronous, &call).map(\.id) }
    if plan.plan.later == nil { try plan.failIfDue() }
    let id = node(of: builder, plan, argument: argument)
    parts[id] = made
    // If a hook fails, or something that it was made from, it is disposed of in the background.
    nodes[id].isLoose = true
    if let later = plan.plan.later {
      call.building[call.building.count - 1].made = id
      for part in later { parts[id] += try resolve(part, from: builder, plan.plan.isAsynchronous, &call).map(\.id) }
      try plan.failIfDue()
    }
    if call.building.last?.isKept == false { nodes[id].isLoose = false }
    return id
  }

  // MARK: Ends

  /// - Returns: What has to be disposed of now, in this order.
  mutating func reset(_ name: ServiceName, in home: Int) -> [NodeID] {
    if mistake == .resetKeeps { return [] }
    // Its own, and what it keeps of registrations elsewhere.
    let own = plans(name, in: homes[home]).filter { $0.plan.keeping != .scoped }
    let scoped = homes.flatMap { plans(name, in: $0) }.filter { $0.plan.keeping == .scoped }
    if mistake != .decoratedStays { for wrapper in wrappers(name) { _ = drop(wrapper, of: home) } }
    return dispose(of: (own + scoped).flatMap { drop($0, of: home) })
  }

  mutating func resetAll(in home: Int) -> [NodeID] {
    family(of: home).flatMap { member in
      // What was replaced before may be on its way in the background.
      dispose(of: (homes.flatMap(\.plans) + wrappers()).flatMap { drop($0, of: member) })
    }
  }

  mutating func shutDown(_ home: Int) -> [NodeID] {
    family(of: home).flatMap { member in
      homes[member].isClosed = true
      for plan in homes.flatMap(\.plans) + wrappers() { _ = drop(plan, of: member) }
      return dispose(of: nodes.indices.filter { nodes[$0].home == member })
    }
  }

  /// The last created first; each once.
  private mutating func dispose(of ids: [NodeID]) -> [NodeID] {
    let due = ids.filter { nodes[$0].hasEnd && !nodes[$0].isDisposed }.sorted(by: >)
    for id in due { nodes[id].isDisposed = true }
    return due
  }

  /// Whether these may be disposed of in this order: of a container the last created first, after what the containers below it have made.
  func isOrder(_ ids: [NodeID]) -> Bool {
    // What was replaced may just have been disposed of, in the background.
    let ids = ids.filter { !nodes[$0].isLoose }
    if mistake == .endsInOrderOfCreation { return ids == ids.sorted() }
    return ids.indices.allSatisfy { index in
      ids[..<index].allSatisfy { earlier in
        nodes[earlier].home == nodes[ids[index]].home
          ? earlier > ids[index] : !isAbove(nodes[earlier].home, nodes[ids[index]].home)
      }
    }
  }

  private func isAbove(_ home: Int, _ other: Int) -> Bool {
    sequence(first: homes[other], next: \.parent).dropFirst().contains { $0.number == home }
  }

  /// Whether something that was disposed of earlier than it has to be may be.
  mutating func mayDispose(of id: NodeID) -> Bool {
    guard nodes.indices.contains(id), !nodes[id].isWrapper, !nodes[id].isDisposed || !nodes[id].hasEnd,
      nodes[id].isLoose || !nodes[id].hasEnd
    else { return false }
    nodes[id].isDisposed = true
    return true
  }
}
