/// A request for an instance on the slow path.
///
/// The fast path borrows what it touches. A request on the slow path may wait or suspend, so it owns what it refers to. It is an object,
/// because threads would contend for the reference counts of its parts with each copy.
final class Request: Sendable {
  /// The binding and the container that has it. A build may outlast its caller, and with it the link by which the binding was found.
  private let located: Located
  /// The same binding: a read by way of `located` would retain it, and threads would contend for its reference count.
  let binding: Binding
  /// The container with whose registrations the instance is made.
  let container: Container
  /// The container that the caller resolves from; nil if it is the same one, since threads contend for its reference count.
  private let otherAsked: Container?
  /// The recipe that looks up dependencies under an inherited key first; nil if the registration's own recipe makes the instance.
  private let inheritingRecipe: Recipe?
  let arguments: Arguments?
  /// The frame of a caller that can suspend. Nil for a caller that cannot, whose chain is in its thread's record.
  let callerFrame: ResolutionFrame?
  let placement: Placement
  /// Nil if the instance is not observed.
  let observation: BuildObservation?

  /// Creates a request.
  ///
  /// - Parameter key: The key that the service's dependencies inherit.
  init(
    for located: Located, asking asked: Container, _ arguments: Arguments?, inheriting key: Key?,
    from callerFrame: ResolutionFrame? = nil
  ) {
    self.located = located
    binding = located.binding
    container = binding.container(for: asked)
    otherAsked = container === asked ? nil : asked
    inheritingRecipe = binding.recipeInheriting(key)
    self.arguments = arguments
    self.callerFrame = callerFrame
    placement = binding.placement(asking: asked)
    observation = binding.observation(asking: asked)
  }

  /// The container that the caller resolves from.
  var asked: Container { otherAsked ?? container }

  /// The synchronous factory.
  var factory: Factory { inheritingRecipe?.factory ?? binding.factory }

  /// The asynchronous factory; nil if there is none.
  var makeAsync: Recipe.MakeAsync? {
    if let inheritingRecipe { inheritingRecipe.makeAsync } else { binding.descriptor.makeAsync }
  }

  /// The once cell that keeps the instance, and its holder; nil if the instance is not kept. The holder must outlive the use of the cell.
  ///
  /// - Parameters:
  ///   - graph: The graph of the call.
  ///   - chain: The caller's chain.
  /// - Throws: ``ResolutionError/Code/scopeNotFound``; ``ResolutionError/Code/cycle``.
  func cell(
    in graph: @autoclosure () -> ResolutionGraph, for chain: Chain
  ) throws -> (cell: OnceCell, holder: InstanceHolder)? {
    let values = binding.keepsPerArguments ? arguments?.identifying : nil
    switch binding.policy.keeper {
    case .caller: return nil
    case .call:
      let disposing = OverrideLayer.substitute(inPlaceOf: asked).lifecycle
      let slot = try graph().slot(for: binding, in: disposing) { others in
        // The service is under construction in another graph: its own factory has called a provider of it. Each call of a provider has
        // its own graph. Within one graph, it may be under construction for another container.
        if binding.recursionIsCycle, chain.contains(binding.id),
          !others.contains(where: { $0.borrow { $0.name.binding == binding.keptNumber } })
        {
          throw ResolutionError.cycle([binding.identity], chain)
        }
      }
      return (slot.cell(for: values), slot)
    case .owner, .asked, .named:
      guard let keeper = placement.substitute ?? binding.keeper(for: asked) else {
        throw ResolutionError.scopeNotFound(binding, asking: asked, chain)
      }
      return binding.cell(in: keeper, for: values)
    }
  }

  /// How the caller can have the instance built.
  ///
  /// This is one of the questions whether something suspends:
  ///
  /// | question | about | answer |
  /// | --- | --- | --- |
  /// | ``Caller`` | a call | whether it can suspend, or only block its thread |
  /// | ``Binding/synchrony`` | a registration with its hooks | whether a synchronous caller can have an instance built, as registered |
  /// | ``Container/canBuildSynchronously(_:)`` | a registration, now | the same, with all that it takes as it stands now |
  /// | ``Container/canResolveSynchronously(_:)`` | a registration, now | whether it has an instance, or can be built so |
  /// | ``Binding/isBuiltAtOnce`` | a registration | whether its last build needed nothing that suspends |
  /// | ``Binding/isBuiltUncontended`` | a registration | whether its build may begin without the once cell |
  /// | `isTriedAtOnce(for:)` | a registration, for `await` | whether to try in place, since a try that fails repeats no hook |
  /// | ``Binding/isComplete(_:)`` | a new instance | whether it needs no asynchronous step after its factory |
  /// | ``Binding/mayBeIncomplete`` | a registration | whether an instance may need such a step, as far as earlier instances tell |
  /// | ``Binding/suspension(for:)`` | an error on a thread | whether an asynchronous build may succeed in spite of it |
  /// | `buildMode` | a request | whether its build runs on the caller's thread, in a task, or not at all |
  var buildMode: OnceStateMachine.BuildMode {
    let kind: Caller = callerFrame == nil ? .synchronous : .asynchronous
    return switch (binding.synchrony, kind) {
    case (.synchronous, _), (.either, .synchronous): .inline
    case (.mainActor, .synchronous): MainExecutor.isCurrent ? .inline : .unavailable
    case (.asynchronous, .synchronous): .unavailable
    // Inline where possible, because a synchronous caller can wait for an inline build, but not for a task.
    case (.either, .asynchronous), (.mainActor, .asynchronous):
      placement.within { asked.canBuildSynchronously(binding) } ? .inline : .task
    case (.asynchronous, .asynchronous): .task
    }
  }

  // MARK: Noted requests

  /// Notes the requests of an unkept instance in the enclosing build, too, while the instance is built.
  func shareNotes(of attempt: Attempt, for chain: Chain) {
    if !binding.policy.isKept, let outer = chain.attempt { attempt.shareNotes(of: outer) }
  }

  /// Notes in the enclosing build what concerns it of an instance that it gets from a cell: the requests of an unkept instance, if it was
  /// built for another service, and the life, since the build's own instance may wrap this one.
  ///
  /// - Parameter instance: Nil if the registration has been removed.
  func noteInEnclosingBuild(_ instance: Instance?, from cell: OnceCell, for chain: Chain) {
    guard let outer = chain.attempt else { return }
    if !binding.policy.isKept, !cell.hasNotes(outer.notes.load()) { outer.note(allOf: cell.kept?.requests) }
    if let life = instance.flatMap(cell.life) { outer.noteLife(life) }
  }
}

extension Binding {
  /// The product of a build: the instance, and its conversions for the aliases.
  ///
  /// Aliases show the instance that the binding itself holds. An instance of a layer must not get into the container through them (V2).
  func product(_ instance: Instance, under placement: Placement) -> Product {
    let aliases = policy.isKept && !policy.isWeak ? aliases : []
    guard !aliases.isEmpty, descriptor.isPublished, unsafe isHolder(in: placement.substitute ?? owner) else {
      return Product(instance: instance)
    }
    let aliased = aliases.map { Product.Aliased(holder: $0, instance: $0.converted(instance)) }
    return Product(instance: instance, aliased: aliased)
  }
}
