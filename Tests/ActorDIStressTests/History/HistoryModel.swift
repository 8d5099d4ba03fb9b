/// What containers may answer, one step after the other.
///
/// Most operations take effect at one moment, in one step. These take several, between which others may take theirs:
///
/// - *A resolve* looks in each container, and at its links, at moments of their own: nothing is said of several containers as a whole. Then it
///   gets the instance of the registration that it has found, or builds it. If the registration was removed meanwhile, what is built is not
///   kept. What a factory asks for is an operation of its own, since a factory runs while others change what it asks for.
/// - *A reset* drops what is kept of each service at a moment of its own. A build in flight is got before that moment by those who wait for it.
///   Of registrations and containers that come while it runs, it may drop what they keep.
/// - *A shutdown* closes each container of the family at a moment of its own. Factories may get on, or not, until it has returned.
struct HistoryModel: Hashable {
  /// A rule that is bent, to see that a history shows that.
  enum Mistake: CaseIterable {
    case firstRegistrationWins, resetKeeps, parentBeforeLinks, singletonOfAsker, failureIsKept
  }

  private struct Place: Hashable {
    let container: Int
    let name: HistoryName
  }

  private struct Slot: Hashable {
    let registration: Int
    let keeper: Int
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
    /// A reset or shutdown: what has been dropped, and what was there when it began.
    case ending(dropped: Set<Slot>, registrations: Set<Int>, containers: Set<Int>)
  }

  /// What stays the same.
  final class Facts {
    fileprivate struct Registration {
      let name: HistoryName
      let plan: HistoryPlan
      let home: Int
    }
    let operations: [HistoryOperation]
    fileprivate var registrations: [Int: Registration] = [:]
    fileprivate var parents = [1: 0]
    fileprivate var haveShutdowns = false
    fileprivate let mistake: Mistake?

    init(_ history: RecordedHistory, _ mistake: Mistake?) {
      (operations, self.mistake) = (history.operations, mistake)
      for operation in operations {
        if case .register(let name, let plan, let home) = operation.act {
          registrations[plan.number] = Registration(name: name, plan: plan, home: home)
        }
        if case .makeChild(let child, let parent) = operation.act { parents[child] = parent }
        if case .shutDown = operation.act { haveShutdowns = true }
      }
    }

    /// Whether an operation changes nothing but by a build.
    func isReader(_ index: Int) -> Bool {
      switch operations[index].act {
      case .resolve, .look, .contains: true
      default: false
      }
    }

    fileprivate func lineage(of container: Int) -> [Int] { Array(sequence(first: container) { self.parents[$0] }) }
  }

  private var bindings: [Place: Int] = [:]
  private var links: [Int: [Link]] = [:]
  private var containers: Set = [0, 1, 2]
  /// What is kept, and the last failure.
  private var kept: [Slot: Int] = [:]
  private var failures: [Slot: Int] = [:]
  /// Instances and failures that somebody has got.
  private var known: Set<Int> = []
  /// Those that refuse, and those whose shutdown has returned.
  private var closed: Set<Int> = []
  private var ended: Set<Int> = []
  private var progress: [Progress]

  init(_ facts: Facts) { progress = facts.operations.map { _ in .waiting } }

  // MARK: Order

  var isDone: Bool { progress.allSatisfy { $0 == .done } }

  /// The operations that may take a step: those that began before any other one had returned that is not done.
  func next(_ facts: Facts) -> [Int] {
    guard let first = progress.firstIndex(where: { $0 != .done }) else { return [] }
    return progress.indices.filter { progress[$0] != .done && facts.operations[$0].begin < facts.operations[first].end }
  }

  /// A state after an operation has taken all its steps at once.
  func afterAllSteps(of index: Int, _ facts: Facts, where isWanted: (HistoryModel) -> Bool) -> HistoryModel? {
    if progress[index] == .done { return isWanted(self) ? self : nil }
    for next in steps(of: index, facts) {
      if let found = next.afterAllSteps(of: index, facts, where: isWanted) { return found }
    }
    return nil
  }

  func differsOnly(at index: Int, from other: HistoryModel) -> Bool { with(.done, index) == other.with(.done, index) }

  /// The states that a step of an operation may lead to; none if nothing that it does would give its answer.
  func steps(of index: Int, _ facts: Facts) -> [HistoryModel] {
    let operation = facts.operations[index]
    switch operation.act {
    case .register(let name, let plan, let home):
      return ending(index, facts, in: home) { model in
        let place = Place(container: home, name: name)
        if facts.mistake == .firstRegistrationWins, model.bindings[place] != nil { return }
        model.retire(place)
        model.bindings[place] = plan.number
      }
    case .unregister(let name, let home):
      let place = Place(container: home, name: name)
      return whether(home, isClosed: index, facts).flatMap { isClosed, model in
        model.answering(.flag(!isClosed && bindings[place] != nil), index, facts) { if !isClosed { $0.retire(place) } }
      }
    case .makeChild(let child, _): return answering(.done, index, facts) { $0.containers.insert(child) }
    case .link(let number, let home, let target):
      return answering(.done, index, facts) { $0.links[home, default: []].append(Link(number: number, target: target)) }
    case .cancelLink(let number, let home):
      return answering(.done, index, facts) { $0.links[home]?.removeAll { $0.number == number } }
    case .reset, .resetAll, .shutDown: return end(index, facts)
    case .resolve(let name, let asked, _), .look(let name, let asked), .contains(let name, let asked):
      switch progress[index] {
      case .found(let registration): return get(registration, asked, index, facts)
      case .searching(let visits, let visited): return search(visits[...], visited, name, index, facts)
      default: return search([.container(asked)], [], name, index, facts)
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

  /// For a step that a closed container refuses.
  private func ending(
    _ index: Int, _ facts: Facts, in home: Int, _ change: (inout HistoryModel) -> Void
  ) -> [HistoryModel] {
    whether(home, isClosed: index, facts).flatMap { isClosed, model in
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
      return whether(container, isClosed: index, facts).flatMap { isClosed, model -> [HistoryModel] in
        if isClosed { return model.refuse(index, facts) }
        if let registration = bindings[Place(container: container, name: name)] {
          if case .contains = facts.operations[index].act { return model.answering(.flag(true), index, facts) }
          return [model.with(.found(registration: registration), index)]
        }
        let beyond: [Visit] = [.links(container)] + (facts.parents[container].map { [.container($0)] } ?? [])
        let next = (facts.mistake == .parentBeforeLinks ? beyond.reversed() : beyond) + rest
        return [model.with(.searching(next, visited: visited.union([container])), index)]
      }
    case .links(let container):
      let targets = links[container, default: []].map { Visit.container($0.target) }
      // Without links there is nothing to be seen of the moment.
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

  private func get(_ number: Int, _ asked: Int, _ index: Int, _ facts: Facts) -> [HistoryModel] {
    guard let registration = facts.registrations[number] else { return [] }
    let plan = registration.plan
    let isOwned = plan.keeping == .shared || plan.keeping == .singleton && facts.mistake != .singletonOfAsker
    let builder = isOwned ? registration.home : asked
    let slot = Slot(registration: number, keeper: builder)
    return whether(builder, isClosed: index, facts).flatMap { isClosed, model in
      (isClosed ? model.refuse(index, facts) : [])
        + ([model] + model.dropping(slot, facts)).flatMap { $0.yield(slot, plan, isClosed, index, facts) }
    }
  }

  private func yield(
    _ slot: Slot, _ plan: HistoryPlan, _ isClosed: Bool, _ index: Int, _ facts: Facts
  ) -> [HistoryModel] {
    let isKept = plan.keeping != .transient && bindings.values.contains(plan.number)
    if case .look = facts.operations[index].act {
      guard case .made(let number, plan.number, slot.keeper) = facts.operations[index].answer else {
        return kept[slot] == nil ? answering(.flag(false), index, facts) : []
      }
      return kept[slot] == number ? [with(.done, index)] : []
    }
    guard case .resolve(_, _, let isAsynchronous) = facts.operations[index].act else { return [] }
    var next = with(.done, index)
    switch facts.operations[index].answer {
    case .made(let number, plan.number, slot.keeper) where !isClosed:
      if let instance = kept[slot] { return instance == number ? [next] : [] }
      guard next.known.insert(number).inserted, isAsynchronous || !plan.isAsynchronous else { return [] }
      if isKept { next.kept[slot] = number }
      next.failures[slot] = nil
      return facts.mistake == .failureIsKept && failures[slot] != nil ? [] : [next]
    case .failed(let number, plan.number) where plan.fails || plan.part != nil:
      // Those who wait for the same attempt get its error.
      let isFirst = next.known.insert(number).inserted
      guard kept[slot] == nil, isAsynchronous || !plan.isAsynchronous, isFirst || isKept && failures[slot] == number
      else { return [] }
      next.failures[slot] = number
      return [next]
    case .asyncRequired: return plan.isAsynchronous && !isAsynchronous && kept[slot] == nil ? [next] : []
    default: return []
    }
  }

  private mutating func retire(_ place: Place) {
    guard let old = bindings.removeValue(forKey: place) else { return }
    kept = kept.filter { $0.key.registration != old }
  }

  // MARK: Ends

  /// Whether a container is closed, by a shutdown that may be under way, for an operation.
  private func whether(_ container: Int, isClosed index: Int, _ facts: Facts) -> [(Bool, HistoryModel)] {
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
    // `contains` tells what is registered, and says nothing of shutdowns.
    var isLoose = facts.operations[index].client == nil
    if case .contains = facts.operations[index].act { isLoose = true }
    if closed.contains(container) && !isLoose { return [(true, self)] }
    var closing = self
    if !isLoose { closing.closed.insert(container) }
    return [(false, self), (true, closing)]
  }

  private func isCovered(_ slot: Slot, by index: Int, _ facts: Facts) -> Bool {
    if facts.mistake == .resetKeeps { return false }
    return switch facts.operations[index].act {
    case .reset(let name, let home): slot.keeper == home && facts.registrations[slot.registration]?.name == name
    case .resetAll(let home): facts.lineage(of: slot.keeper).contains(home)
    default: false
    }
  }

  /// The states after a reset that is under way has come to what is kept of a service.
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
    let left = kept.keys.filter { isCovered($0, by: index, facts) && !dropped.contains($0) }
    let (due, late) = (
      left.filter { registrations.contains($0.registration) && containers.contains($0.keeper) },
      left.filter { !registrations.contains($0.registration) || !containers.contains($0.keeper) }
    )
    return [due, due + late].prefix(late.isEmpty ? 1 : 2).flatMap { slots in
      answering(.done, index, facts) { model in for slot in slots { model.kept[slot] = nil } }
    }
  }
}
