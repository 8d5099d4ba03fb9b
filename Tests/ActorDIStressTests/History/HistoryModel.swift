/// The sequential model of containers: the results that an order of operations can have.
///
/// Most operations take effect at one moment, in one step. These take several steps, which can interleave with other operations:
///
/// - *A resolve* searches each container, and reads its links, at separate moments: no promise covers several containers. Then it gets the
///   instance of the found registration, or builds it. If the registration was removed meanwhile, the instance is not kept. A factory's own
///   resolve is a separate operation, since other operations can interleave with the factory.
/// - *A reset* drops the instances of each service at a separate moment. The waiters of a build get its instance before that moment. A reset
///   may or may not drop instances of registrations and containers that are added during it.
/// - *A shutdown* closes each container of the family at a separate moment. Factories may resolve or be refused until it returns.
struct HistoryModel: Hashable {
  /// A wrong rule, to check that a history contradicts it.
  enum Mistake: CaseIterable {
    case firstRegistrationWins, resetKeeps, parentBeforeLinks, singletonOfOrigin, failureIsKept
  }

  private struct Identity: Hashable {
    let container: Int
    let name: HistoryName
  }

  private struct Slot: Hashable {
    let registration: Int
    let owner: Int
  }

  private struct Link: Hashable {
    let number: Int
    let target: Int
  }

  private enum Visit: Hashable { case container(Int), links(Int) }

  private enum Progress: Hashable {
    case waiting, done
    case searching([Visit], visited: Set<Int>)
    case found(registration: Int)
    /// A reset or shutdown: the dropped instances, and the registrations and containers at its beginning.
    case ending(dropped: Set<Slot>, registrations: Set<Int>, containers: Set<Int>)
  }

  /// The facts of a history that do not change during the search.
  final class Facts {
    fileprivate struct Registration {
      let name: HistoryName
      let plan: HistoryPlan
      let container: Int
    }
    let operations: [HistoryOperation]
    fileprivate var registrations: [Int: Registration] = [:]
    fileprivate var parents = [1: 0]
    fileprivate var haveShutdowns = false
    fileprivate let mistake: Mistake?

    init(_ history: RecordedHistory, _ mistake: Mistake?) {
      (operations, self.mistake) = (history.operations, mistake)
      for operation in operations {
        if case .register(let name, let plan, let container) = operation.act {
          registrations[plan.number] = Registration(name: name, plan: plan, container: container)
        }
        if case .makeChild(let child, let parent) = operation.act { parents[child] = parent }
        if case .shutDown = operation.act { haveShutdowns = true }
      }
    }

    /// Whether an operation changes nothing, except by a build.
    func isReader(_ index: Int) -> Bool {
      switch operations[index].act {
      case .resolve, .inspect, .contains: true
      default: false
      }
    }

    fileprivate func lineage(of container: Int) -> [Int] { Array(sequence(first: container) { self.parents[$0] }) }
  }

  private var bindings: [Identity: Int] = [:]
  private var links: [Int: [Link]] = [:]
  private var containers: Set = [0, 1, 2]
  /// The kept instances, and the last failures.
  private var kept: [Slot: Int] = [:]
  private var failures: [Slot: Int] = [:]
  /// The instances and failures that a caller has got.
  private var known: Set<Int> = []
  /// The containers that refuse calls, and those whose shutdown has returned.
  private var closed: Set<Int> = []
  private var ended: Set<Int> = []
  private var progress: [Progress]

  init(_ facts: Facts) { progress = facts.operations.map { _ in .waiting } }

  // MARK: Order

  var isDone: Bool { progress.allSatisfy { $0 == .done } }

  /// The operations that can take a step: those that began before any other unfinished operation had returned.
  func next(_ facts: Facts) -> [Int] {
    guard let first = progress.firstIndex(where: { $0 != .done }) else { return [] }
    return progress.indices.filter { progress[$0] != .done && facts.operations[$0].begin < facts.operations[first].end }
  }

  /// Returns a state after an operation has taken all its steps at once.
  func afterAllSteps(of index: Int, _ facts: Facts, where isWanted: (HistoryModel) -> Bool) -> HistoryModel? {
    if progress[index] == .done { return isWanted(self) ? self : nil }
    for next in steps(of: index, facts) {
      if let found = next.afterAllSteps(of: index, facts, where: isWanted) { return found }
    }
    return nil
  }

  func differsOnly(at index: Int, from other: HistoryModel) -> Bool { with(.done, index) == other.with(.done, index) }

  /// Returns the states after a step of an operation; none if no step leads to the recorded result.
  func steps(of index: Int, _ facts: Facts) -> [HistoryModel] {
    let operation = facts.operations[index]
    switch operation.act {
    case .register(let name, let plan, let container):
      return ending(index, facts, in: container) { model in
        let identity = Identity(container: container, name: name)
        if facts.mistake == .firstRegistrationWins, model.bindings[identity] != nil { return }
        model.unregister(identity)
        model.bindings[identity] = plan.number
      }
    case .unregister(let name, let container):
      let identity = Identity(container: container, name: name)
      return closedStates(of: container, for: index, facts).flatMap { isClosed, model in
        model.answering(.flag(!isClosed && bindings[identity] != nil), index, facts) {
          if !isClosed { $0.unregister(identity) }
        }
      }
    case .makeChild(let child, _): return answering(.done, index, facts) { $0.containers.insert(child) }
    case .link(let number, let container, let target):
      return answering(.done, index, facts) {
        $0.links[container, default: []].append(Link(number: number, target: target))
      }
    case .cancelLink(let number, let container):
      return answering(.done, index, facts) { $0.links[container]?.removeAll { $0.number == number } }
    case .reset, .resetAll, .shutDown: return end(index, facts)
    case .resolve(let name, let origin, _), .inspect(let name, let origin), .contains(let name, let origin):
      switch progress[index] {
      case .found(let registration): return get(registration, origin, index, facts)
      case .searching(let visits, let visited): return search(visits[...], visited, name, index, facts)
      default: return search([.container(origin)], [], name, index, facts)
      }
    }
  }

  private func answering(
    _ answer: HistoryAnswer, _ index: Int, _ facts: Facts, _ change: (inout HistoryModel) -> Void = { _ in }
  ) -> [HistoryModel] {
    guard facts.operations[index].answer == answer else { return [] }
    var next = self
    change(&next)
    next.progress[index] = .done
    return [next]
  }

  /// Returns the states after a step that a closed container refuses.
  private func ending(
    _ index: Int, _ facts: Facts, in container: Int, _ change: (inout HistoryModel) -> Void
  ) -> [HistoryModel] {
    closedStates(of: container, for: index, facts).flatMap { isClosed, model in
      isClosed ? model.answering(.closed, index, facts) : model.answering(.done, index, facts, change)
    }
  }

  // MARK: Search

  private func search(
    _ visits: ArraySlice<Visit>, _ visited: Set<Int>, _ name: HistoryName, _ index: Int, _ facts: Facts
  ) -> [HistoryModel] {
    var rest = visits
    switch rest.popFirst() {
    case nil:
      return switch facts.operations[index].act {
      case .resolve: answering(.missing, index, facts)
      default: answering(.flag(false), index, facts)
      }
    case .container(let container):
      if visited.contains(container) { return search(rest, visited, name, index, facts) }
      return closedStates(of: container, for: index, facts).flatMap { isClosed, model -> [HistoryModel] in
        if isClosed { return model.refuse(index, facts) }
        if let registration = bindings[Identity(container: container, name: name)] {
          if case .contains = facts.operations[index].act { return model.answering(.flag(true), index, facts) }
          return [model.with(.found(registration: registration), index)]
        }
        let beyond: [Visit] = [.links(container)] + (facts.parents[container].map { [.container($0)] } ?? [])
        let next = (facts.mistake == .parentBeforeLinks ? beyond.reversed() : beyond) + rest
        return [model.with(.searching(next, visited: visited.union([container])), index)]
      }
    case .links(let container):
      let targets = links[container, default: []].map { Visit.container($0.target) }
      // Without links, the moment of the read does not matter.
      if targets.isEmpty { return search(rest, visited, name, index, facts) }
      return [with(.searching(targets + rest, visited: visited), index)]
    }
  }

  private func with(_ progress: Progress, _ index: Int) -> HistoryModel {
    var next = self
    next.progress[index] = progress
    return next
  }

  private func refuse(_ index: Int, _ facts: Facts) -> [HistoryModel] {
    if case .resolve = facts.operations[index].act { return answering(.closed, index, facts) }
    return answering(.flag(false), index, facts)
  }

  // MARK: Instances

  private func get(_ number: Int, _ origin: Int, _ index: Int, _ facts: Facts) -> [HistoryModel] {
    guard let registration = facts.registrations[number] else { return [] }
    let plan = registration.plan
    let isOwned = plan.scope == .shared || plan.scope == .singleton && facts.mistake != .singletonOfOrigin
    let builder = isOwned ? registration.container : origin
    let slot = Slot(registration: number, owner: builder)
    return closedStates(of: builder, for: index, facts).flatMap { isClosed, model in
      (isClosed ? model.refuse(index, facts) : [])
        + ([model] + model.dropping(slot, facts)).flatMap { $0.finish(slot, plan, isClosed, index, facts) }
    }
  }

  private func finish(
    _ slot: Slot, _ plan: HistoryPlan, _ isClosed: Bool, _ index: Int, _ facts: Facts
  ) -> [HistoryModel] {
    let isKept = plan.scope != .transient && bindings.values.contains(plan.number)
    if case .inspect = facts.operations[index].act {
      guard case .made(let number, plan.number, slot.owner) = facts.operations[index].answer else {
        return kept[slot] == nil ? answering(.flag(false), index, facts) : []
      }
      return kept[slot] == number ? [with(.done, index)] : []
    }
    guard case .resolve(_, _, let isAsynchronous) = facts.operations[index].act else { return [] }
    var next = with(.done, index)
    switch facts.operations[index].answer {
    case .made(let number, plan.number, slot.owner) where !isClosed:
      if let instance = kept[slot] { return instance == number ? [next] : [] }
      guard next.known.insert(number).inserted, isAsynchronous || !plan.isAsynchronous else { return [] }
      if isKept { next.kept[slot] = number }
      next.failures[slot] = nil
      return facts.mistake == .failureIsKept && failures[slot] != nil ? [] : [next]
    case .failed(let number, plan.number) where plan.fails || plan.dependency != nil:
      // The waiters of one attempt get the same error.
      let isFirst = next.known.insert(number).inserted
      guard kept[slot] == nil, isAsynchronous || !plan.isAsynchronous, isFirst || isKept && failures[slot] == number
      else { return [] }
      next.failures[slot] = number
      return [next]
    case .asyncRequired: return plan.isAsynchronous && !isAsynchronous && kept[slot] == nil ? [next] : []
    default: return []
    }
  }

  private mutating func unregister(_ identity: Identity) {
    guard let old = bindings.removeValue(forKey: identity) else { return }
    kept = kept.filter { $0.key.registration != old }
  }

  // MARK: Ends

  /// Returns whether a container is closed for an operation, with the state after that. During a shutdown, both are possible.
  private func closedStates(of container: Int, for index: Int, _ facts: Facts) -> [(Bool, HistoryModel)] {
    guard facts.haveShutdowns else { return [(false, self)] }
    let lineage = facts.lineage(of: container)
    if !ended.isDisjoint(with: lineage) { return [(true, self)] }
    let isClosing = facts.operations.indices.contains { other in
      if case (.shutDown(let root), .ending) = (facts.operations[other].act, progress[other]) {
        return lineage.contains(root)
      }
      return false
    }
    guard isClosing else { return [(false, self)] }
    // The result of `contains` during a shutdown is unspecified.
    var isUnspecified = facts.operations[index].client == nil
    if case .contains = facts.operations[index].act { isUnspecified = true }
    if closed.contains(container) && !isUnspecified { return [(true, self)] }
    var closing = self
    if !isUnspecified { closing.closed.insert(container) }
    return [(false, self), (true, closing)]
  }

  private func isCovered(_ slot: Slot, by index: Int, _ facts: Facts) -> Bool {
    if facts.mistake == .resetKeeps { return false }
    return switch facts.operations[index].act {
    case .reset(let name, let container):
      slot.owner == container && facts.registrations[slot.registration]?.name == name
    case .resetAll(let container): facts.lineage(of: slot.owner).contains(container)
    default: false
    }
  }

  /// Returns the states after a reset in progress has dropped a service's instance.
  private func dropping(_ slot: Slot, _ facts: Facts) -> [HistoryModel] {
    progress.indices.compactMap { index in
      guard case .ending(var dropped, let registrations, let containers) = progress[index],
        isCovered(slot, by: index, facts), dropped.insert(slot).inserted
      else { return nil }
      var next = self
      next.kept[slot] = nil
      next.progress[index] = .ending(dropped: dropped, registrations: registrations, containers: containers)
      return next
    }
  }

  private func end(_ index: Int, _ facts: Facts) -> [HistoryModel] {
    guard case .ending(let dropped, let registrations, let containers) = progress[index] else {
      return [with(.ending(dropped: [], registrations: Set(bindings.values), containers: self.containers), index)]
    }
    if case .shutDown(let root) = facts.operations[index].act {
      return answering(.done, index, facts) { $0.ended.insert(root) }
    }
    let remaining = kept.keys.filter { isCovered($0, by: index, facts) && !dropped.contains($0) }
    let (due, late) = (
      remaining.filter { registrations.contains($0.registration) && containers.contains($0.owner) },
      remaining.filter { !registrations.contains($0.registration) || !containers.contains($0.owner) }
    )
    return [due, due + late].prefix(late.isEmpty ? 1 : 2).flatMap { slots in
      answering(.done, index, facts) { model in for slot in slots { model.kept[slot] = nil } }
    }
  }
}
