/// The process-wide graph of waits between builds, which detects a cycle before it deadlocks.
///
/// An edge `a -> b` means that build `a` cannot continue, or cannot end, before build `b` has ended. Either `a` waits for `b`, or `a`
/// runs `b` on its own stack, or `a` is tied to `b`.
///
/// - W1: An edge is added before the wait, under one lock, and removed after it.
/// - W2: So the search for the second of two edges that close a cycle finds the first. Its caller gets an error or, inside a hook,
///   the instance.
///
/// Edges start at builds only. No build waits for a caller outside any build, so such a caller needs no edge.
///
/// A build that takes the instance of an unfinished build is *tied* to that build. This happens if a hook leads back to its own service:
/// a hook of A builds B, and B takes A.
///
/// - G1: A tied build is held once its own factory and hooks have run. It ends, and its instance is kept and handed out, when all
///   builds that it is tied to are complete. Builds that are tied to each other end together.
/// - G2: A build that fails drops all builds that are tied to it. Their instances are not kept, and their waiters ask again. If the build has
///   an injection, they get its error instead: they would take the instance again in the same way (G4).
/// - G3: The instance of a held build is given only to builds that the held build waits for. They become tied to it.
///
/// An injection does not fail because the factory of the requested service is running: see ``PostponedBuild`` (G4).
///
/// Three functions also make waiters ask again, once they hold the graph's lock no more:
///
/// - ``wait(_:)``: The new edge closes a cycle. A waiter in it may now take the instance of the build that it waits for, or it opens the cycle
///   so that an injection can wait.
/// - ``conclude(_:_:failingTakersWith:)``: A build is held. Any waiter of a held build may now be one that the held build waits for (G3).
/// - ``holdAgain()``: A held build waits for a task from now on, so its waiters must not block their threads.
///
/// A waiter may ask again only after the build has failed. It gets the failure, as if it had stayed (G2).
enum WaitGraph {
  /// A dependency of one build on the end of another.
  struct Edge: Sendable {
    /// The reason for an edge: the source runs the target itself, waits for it, is tied to it, or has a rest that waits for it.
    enum Kind: Equatable, Sendable {
      case build
      case wait(OnceCell.WaiterID)
      case tie
      case rest
    }

    let source: Attempt
    let target: Attempt
    /// The services from the source's to the target's, inclusive.
    let path: [ServiceIdentity]
    var kind = Kind.build
    /// The target's cell, for a wait.
    var cell: RetainedCell?

    var isWait: Bool { if case .wait = kind { true } else { false } }

    func isSame(as other: Edge) -> Bool { source === other.source && target === other.target && kind == other.kind }

    /// Makes the waiter ask again, if this is the edge of a wait.
    fileprivate func recall() { if case .wait(let id) = kind { cell?.cell.recall(id) } }
  }

  /// A held build with its result.
  struct Held: Sendable {
    let attempt: Attempt
    let retained: RetainedCell
    let product: Product
    var cell: OnceCell { retained.cell }
  }

  /// What a held build waits for.
  struct Holding: Sendable {
    let held: Held
    /// Whether one of the builds that it is tied to may end only after a task has run.
    let isAsynchronous: Bool
  }

  /// A build that was held until now.
  struct Ended: Sendable {
    let held: Held
    /// Whether it is dropped, because a build that it was tied to has failed (G2).
    let isDropped: Bool
  }

  private static let state = Lock(State())

  // MARK: Waiting

  /// The answer to the request to wait.
  enum Answer {
    /// The edge has been added.
    case waits
    /// The wait would deadlock. The path is the cycle.
    case cycle([ServiceIdentity])
    /// The wait would deadlock, but the target has a provisional instance. The source is now tied to the target.
    case takes(Instance)
  }

  /// Adds an edge without a search for a cycle.
  ///
  /// The target of most such edges is a build that the caller has just begun, and that waits for nothing. The edge of a rest may close a
  /// cycle, but the builds that lead to its source take the source's instance (G4).
  static func add(_ edge: Edge) { state.withLock { $0.add(edge) } }

  /// Adds the edge of a wait, unless it closes a cycle.
  ///
  /// - Complexity: O(edges) in the worst case.
  static func wait(_ edge: Edge) -> Answer {
    let (answer, recalled) = state.withLock { $0.wait(edge) }
    for wait in recalled { wait.recall() }
    return answer
  }

  /// Removes an edge after the wait.
  static func remove(_ edge: Edge) {
    // `edge` refers to the same objects as the removed edge, so nothing is released under the lock.
    state.withLock { $0.remove(edge) }
  }

  /// Answers a request that cannot wait.
  ///
  /// - Returns: Nil if a wait would close no cycle, or if the cycle can be opened by no such request.
  static func answer(_ edge: Edge) -> Answer? { state.withLock { $0.answer(edge) } }

  /// A build, and the builds that wait for it, directly or through others.
  static func builds(leadingTo attempt: Attempt) -> [Attempt] { state.withLock { $0.builds(leadingTo: attempt) } }

  // MARK: Ending

  /// The conclusion about a build whose factory and hooks have run.
  enum Conclusion {
    /// The build waits for the builds that it is tied to (G1).
    case held
    /// The build ends, together with others.
    case ends(isDropped: Bool, others: [Ended])
  }

  /// Concludes a build with ties whose factory and hooks have run.
  ///
  /// - Parameters:
  ///   - held: The build with its result; nil for a failure.
  ///   - error: The failure that the builds tied to it get; nil if they are dropped.
  static func conclude(_ attempt: Attempt, _ held: Held?, failingTakersWith error: (any Error)? = nil) -> Conclusion {
    let (conclusion, holdings, _) = state.withLock { state in
      let conclusion = state.conclude(attempt, held, failingTakersWith: error)
      // The new held build may wait, through its ties, for any waiter of a held build. So all of them ask again (G3).
      let holdings = if case .held = conclusion { state.holdings } else { [Holding]() }
      return (conclusion, holdings, state.takeRemoved())
    }
    hold(holdings)
    return conclusion
  }

  /// Holds the held builds anew, because the rest of another build has come to wait for a task.
  static func holdAgain() { hold(state.withLock { $0.holdings }) }

  private static func hold(_ holdings: [Holding]) {
    for holding in holdings { holding.held.cell.hold(holding.held.attempt, isAsynchronous: holding.isAsynchronous) }
  }
}
