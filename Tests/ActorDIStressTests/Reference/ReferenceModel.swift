/// What containers do, written to be obviously right: one thread, no caches, nothing optimised. See CONTRACT §§ 3–5 and 8.
struct ReferenceModel {
  typealias NodeID = Int

  enum Failure: Error, Equatable { case notRegistered, cycle, asyncRequired, planned }

  /// What a program sees of a step.
  enum Outcome: Equatable {
    case nothing
    case made(NodeID)
    case failed(Failure)
    case found(isRegistered: Bool, ready: NodeID?)
  }

  /// A rule that is bent, to see that a program finds that.
  enum Mistake: CaseIterable {
    case parentBeforeLinks, madeByOwner, incompleteIsKept, resetKeeps, endsInOrderOfCreation
  }

  var mistake: Mistake?

  private final class Plan {
    let plan: ServicePlan
    var failuresLeft: Int
    /// The kept instances: by the number of the container that keeps it.
    var kept: [Int: NodeID] = [:]
    init(_ plan: ServicePlan) { (self.plan, failuresLeft) = (plan, plan.failures) }

    func failIfDue() throws(Failure) {
      guard failuresLeft > 0 else { return }
      failuresLeft -= 1
      throw .planned
    }
  }

  private final class Home {
    let number: Int
    let parent: Home?
    var plans: [ServiceName: Plan] = [:]
    var links: [(number: Int, home: Home)] = []
    var isClosed = false
    init(_ number: Int, _ parent: Home?) { (self.number, self.parent) = (number, parent) }
  }

  private struct Node {
    let home: Int
    /// Whether it has to be disposed of with its container.
    let hasEnd: Bool
    var isDisposed = false
    /// Whether it may be disposed of at any time, since its registration was replaced.
    var isLoose = false
  }

  private var homes = [Home(0, nil)]
  private var nodes: [Node] = []
  private var lastLink = 0

  private(set) var parts: [[NodeID]] = []

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

  /// Containers in a circle of links keep each other.
  func end() { for home in homes { home.links = [] } }

  private func find(_ name: ServiceName, from start: Home) -> (plan: Plan, owner: Home)? {
    var visited: Set<Int> = []
    func look(_ home: Home) -> (Plan, Home)? {
      guard visited.insert(home.number).inserted else { return nil }
      if let plan = home.plans[name] { return (plan, home) }
      if mistake == .parentBeforeLinks, let found = home.parent.flatMap(look) { return found }
      for link in home.links { if let found = look(link.home) { return found } }
      return home.parent.flatMap(look)
    }
    return look(start)
  }

  // MARK: Registrations

  mutating func register(_ name: ServiceName, _ plan: ServicePlan, in home: Int) {
    loosen(homes[home].plans[name])
    homes[home].plans[name] = Plan(plan)
  }

  /// - Returns: whether there was one, and what has to be disposed of now.
  mutating func unregister(_ name: ServiceName, in home: Int) -> [NodeID] {
    guard let plan = homes[home].plans.removeValue(forKey: name) else { return [] }
    // What other containers keep of it goes with them, or earlier.
    let own = plan.plan.keeping == .scoped ? nil : plan.kept.removeValue(forKey: home)
    loosen(plan)
    return dispose(of: [own].compactMap { $0 })
  }

  private mutating func loosen(_ plan: Plan?) {
    for id in plan?.kept.values ?? [:].values { nodes[id].isLoose = true }
  }

  // MARK: Instances

  /// One call, with what its call tree shares.
  private struct Call {
    var graph: [ObjectIdentifier: NodeID] = [:]
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
        graph[ObjectIdentifier(done.plan)] = done.id
      } else {
        done.plan.kept[done.keeper] = done.id
      }
    }
  }

  private struct Build {
    let plan: Plan
    let keeper: Int
    /// Once the factory has run.
    var made: NodeID?
    /// The outermost build whose instance it has taken before that was complete.
    var taken = Int.max
    var isKept: Bool { plan.plan.keeping != .transient }
  }

  private struct Held {
    let plan: Plan
    let keeper: Int
    let id: NodeID
    /// The build that it ends with.
    var tie: Int
  }

  mutating func resolve(_ name: ServiceName, from home: Int, isAsynchronous: Bool) -> Outcome {
    var call = Call()
    do throws(Failure) {
      let made = try resolve(name, from: homes[home], isAsynchronous, &call)
      for id in call.complete { nodes[id].isLoose = false }
      return .made(made)
    } catch {
      for id in call.complete { nodes[id].isLoose = false }
      return .failed(error)
    }
  }

  func look(_ name: ServiceName, from home: Int) -> Outcome {
    guard let (plan, owner) = find(name, from: homes[home]) else { return .found(isRegistered: false, ready: nil) }
    let keeper: Int? =
      switch plan.plan.keeping {
      case .transient, .graph: nil
      case .shared, .singleton: owner.number
      case .scoped: home
      }
    return .found(isRegistered: true, ready: keeper.flatMap { plan.kept[$0] })
  }

  private mutating func resolve(
    _ name: ServiceName, from asked: Home, _ isAsynchronous: Bool, _ call: inout Call
  ) throws(Failure) -> NodeID {
    guard let (plan, owner) = find(name, from: asked) else { throw .notRegistered }
    let (keeper, builder): (Int, Home) =
      switch plan.plan.keeping {
      case .transient, .graph: (-1, mistake == .madeByOwner ? owner : asked)
      case .shared, .singleton: (owner.number, owner)
      case .scoped: (asked.number, asked)
      }
    if let existing = plan.kept[keeper] ?? call.graph[ObjectIdentifier(plan)] { return existing }
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
    if under != nil { throw .cycle }

    call.building.append(Build(plan: plan, keeper: keeper))
    let id = try make(plan, by: builder, &call)
    if mistake == .incompleteIsKept { call.building[call.building.count - 1].taken = .max }
    call.end(id)
    if let held = call.held.first(where: { $0.id == id }) { call.take(held.tie) }
    return id
  }

  private mutating func make(_ plan: Plan, by builder: Home, _ call: inout Call) throws(Failure) -> NodeID {
    var made: [NodeID] = []
    for part in plan.plan.parts { made.append(try resolve(part, from: builder, plan.plan.isAsynchronous, &call)) }
    if plan.plan.later == nil { try plan.failIfDue() }
    nodes.append(Node(home: builder.number, hasEnd: plan.plan.keeping != .shared))
    parts.append(made)
    let id = nodes.count - 1
    // If a hook fails, or something that it was made from, it is disposed of in the background.
    nodes[id].isLoose = true
    if let later = plan.plan.later {
      call.building[call.building.count - 1].made = id
      for part in later { parts[id].append(try resolve(part, from: builder, plan.plan.isAsynchronous, &call)) }
      try plan.failIfDue()
    }
    if call.building.last?.isKept == false { nodes[id].isLoose = false }
    return id
  }

  // MARK: Ends

  /// - Returns: what has to be disposed of now, in this order.
  mutating func reset(_ name: ServiceName, in home: Int) -> [NodeID] {
    if mistake == .resetKeeps { return [] }
    var dropped: [NodeID] = []
    let own = homes[home].plans[name]
    if let own, own.plan.keeping != .scoped, let id = own.kept.removeValue(forKey: home) { dropped.append(id) }
    // What it keeps of registrations above.
    for above in homes {
      if let plan = above.plans[name], plan.plan.keeping == .scoped, let id = plan.kept.removeValue(forKey: home) {
        dropped.append(id)
      }
    }
    return dispose(of: dropped)
  }

  mutating func resetAll(in home: Int) -> [NodeID] {
    family(of: home).flatMap { member in
      // What was replaced before may be on its way in the background.
      dispose(of: homes.flatMap(\.plans.values).compactMap { $0.kept.removeValue(forKey: member) })
    }
  }

  mutating func shutDown(_ home: Int) -> [NodeID] {
    family(of: home).flatMap { member in
      homes[member].isClosed = true
      for plan in homes.flatMap(\.plans.values) { plan.kept[member] = nil }
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
    guard nodes.indices.contains(id), !nodes[id].isDisposed || !nodes[id].hasEnd, nodes[id].isLoose || !nodes[id].hasEnd
    else { return false }
    nodes[id].isDisposed = true
    return true
  }
}
