/// The rest of a build of an instance that a container or the call tree keeps (G4).
struct PostponedHooks: RestOfBuild {
  let instance: Instance
  let awaited: Attempt
  var run: ObservedRun?

  /// The injection that must wait, followed by the other hooks. The binding holds it.
  private let hook: UnheldReference<CreationHook>
  private let binding: Binding
  /// Retained, because it holds the binding.
  private let owner: Container
  private let container: Container
  // The graph and the frame of the call that the build is part of.
  private let graph: ResolutionGraph
  private let frame: ResolutionFrame?

  // What surrounds a build on the slow path.
  private var placement = Placement.asCalled
  private var checkOut: CheckOut?
  private var observation: BuildObservation?

  /// - Parameters:
  ///   - hook: The injection that must wait.
  ///   - container: The container with whose registrations the instance is made.
  init(
    _ hook: UnheldReference<CreationHook>, of instance: Instance, by binding: Binding, in container: Container,
    awaiting awaited: Attempt
  ) {
    self.hook = hook
    self.instance = instance
    self.binding = binding
    self.container = container
    self.awaited = awaited
    owner = unsafe binding.owner
    let record = ThreadRecordPointer.current
    graph = record.graph
    frame = record.frame
  }

  /// The same rest, on the slow path.
  func within(_ placement: Placement, _ checkOut: CheckOut?, _ observation: BuildObservation?) -> Self {
    var rest = self
    rest.placement = placement
    rest.checkOut = checkOut
    rest.observation = observation
    return rest
  }

  func finish(_ attempt: Attempt) throws -> Product {
    let record = ThreadRecordPointer.current
    let start = ResolutionFrame(graph: graph, parent: frame)
    return try product(of: attempt) {
      try record.continuing(start, with: binding) {
        try record.building(attempt, keeping: binding.policy.isKept) {
          try observation.creating(by: attempt, continuing: run) {
            do {
              try binding.run(
                hook, at: instance.box.memory, Resolver(container: container),
                in: .kept(instance, attempt.disposal, record))
            } catch {
              throw binding.suspension(for: error) ?? error
            }
            return instance
          }
        }
      }
    }
  }

  func finish(_ attempt: Attempt) async throws -> Product {
    let frame = ResolutionFrame(of: binding, in: container, graph: graph, parent: frame, attempt: attempt)
    defer { frame.finish() }
    let resolver = Resolver(container: container, frame: frame)
    _ = try await placement.within {
      try await ResolutionFrame.$ambient.withValue(frame) {
        try await observation.creating(by: attempt, in: frame, continuing: run) {
          try await binding.run(hook, of: instance, resolver, in: attempt)
          return instance
        }
      }
    }
    return try product(of: attempt) { instance }
  }

  private func product(of attempt: Attempt, _ finish: () throws -> Instance) throws -> Product {
    do {
      let product = try placement.within { binding.product(try finish(), under: placement) }
      binding.learn(from: attempt, under: placement)
      return try checkOut?.finish(product) ?? product
    } catch let rest as PostponedHooks {
      throw rest.within(placement, checkOut, observation)
    }
  }
}
