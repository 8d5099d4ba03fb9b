/// Who waits for whom: the process's live edges between attempts, by which a cycle is seen before it hangs.
///
/// An edge `a -> b` says that attempt `a` cannot go on, or cannot end, before attempt `b` has ended: because it suspended or blocked for
/// `b`; because it is building `b` itself, on its own stack; or because it is tied to `b`. An edge is added before the wait, under one
/// lock, and removed after it (W1). So of two edges that close a cycle together, the second to be added sees the first, and one of the
/// two callers gets the error, or the instance if that is in its hooks; nobody hangs (W2).
///
/// Edges start at attempts only. A caller outside any attempt is waited for by nobody, and needs no edge.
///
/// An attempt that takes an instance whose own attempt has not ended is *tied* to that attempt. It happens where hooks lead back: a hook of
/// A has B built, and B takes A.
///
/// - G1: What is built by a tied attempt is held when its factory and its hooks have run. It is kept, and given to others, when all that
///   it is tied to is complete, too; attempts that are tied to each other end together.
/// - G2: An attempt that fails takes along all that is tied to it: of those nothing is kept, and who waits for them asks again.
/// - G3: What is held is given to those whose own attempt it waits for, and to nobody else. So they are tied to it in their turn.
enum WaitGraph {
  struct Edge: Sendable {
    enum Kind: Equatable, Sendable {
      case build
      case wait(OnceCell.WaiterID)
      case tie
    }

    let source: Attempt
    let target: Attempt
    /// The services from the source's to the target's, both included.
    let path: [ServiceIdentity]
    var kind = Kind.build
  }

  /// What was built and cannot end yet, with what its cell needs for the end and does not hold.
  struct Held: Sendable {
    let attempt: Attempt
    let cell: OnceCell
    let product: Product
    private let holder: InstanceHolder?
    private let owner: (any LifecycleOwner)?

    init(_ attempt: Attempt, of cell: OnceCell, _ product: Product) {
      self.attempt = attempt
      self.cell = cell
      self.product = product
      holder = cell.storage.holder
      owner = cell.homeOwner
    }
  }

  private static let state = Lock(State())

  // MARK: Waiting

  enum Answer {
    /// The edge has been added.
    case waits
    /// The wait would never end: the closed path.
    case cycle([ServiceIdentity])
    /// The wait would never end, but there is an instance to be had: the source is tied to the target now.
    case takes(Instance)
  }

  /// Adds an edge unless it closes a cycle.
  ///
  /// - Parameter isFresh: the attempt waited for was just started by this caller, waits for nothing, and so needs no search.
  /// - Complexity: O(edges) in the worst case; O(1) for a fresh attempt.
  static func add(_ edge: Edge, isFresh: Bool) -> Answer {
    let (answer, recalled) = state.withLock { $0.add(edge, isFresh: isFresh) }
    for held in recalled { held.cell.recall() }
    return answer
  }

  static func remove(_ edge: Edge) {
    // The edge that was there has references, too: nothing goes under the lock.
    state.withLock { $0.remove(edge) }
  }

  /// The instance that a caller gets in place of a wait that would close a cycle, without a wait if it would not.
  static func take(_ edge: Edge) -> Instance? {
    state.withLock { $0.cycle(closedBy: edge) == nil ? nil : $0.take(edge) }
  }

  // MARK: Ending

  enum Conclusion {
    /// It has to wait for what it is tied to (G1).
    ///
    /// - Parameter isAsynchronous: whether that may take until a task has ended.
    case held(isAsynchronous: Bool)
    /// It ends, and others with it.
    case ends(isDropped: Bool, others: [(held: Held, isDropped: Bool)])
  }

  /// The factory and the hooks of an attempt have run, which others are tied to, or which is tied to others.
  ///
  /// - Parameter held: what was built; nil for a failure.
  static func conclude(_ attempt: Attempt, _ held: Held?) -> Conclusion {
    let (conclusion, recalled, _) = state.withLock { state in
      let (conclusion, recalled) = state.conclude(attempt, held)
      return (conclusion, recalled, state.takeRemoved())
    }
    for held in recalled { held.cell.recall() }
    return conclusion
  }
}
