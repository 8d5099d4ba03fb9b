internal import Synchronization

/// The services under construction that led to a resolve, outermost first.
///
/// A chain has an asynchronous part (frames), followed by a synchronous part (hazard slots of the current thread).
/// Either may be empty. A chain is used where it was made, during the resolve that it describes.
struct Chain {
  /// The innermost build that the chain is part of.
  let attempt: Attempt?
  let frame: ResolutionFrame?
  /// A range of the current thread's hazard slots.
  let slots: Range<Int>

  /// The services from the root to the requesting one.
  var path: [ServiceIdentity] { Self.merged(services.map(\.identity)) }

  /// The services from the root to the one that the requesting service asks for.
  func path(to identity: ServiceIdentity) -> [ServiceIdentity] { Self.merged(path + [identity]) }

  /// Merges consecutive services with the same name.
  ///
  /// A decorator or choice has the name of the binding behind it, so both are shown as one. With run-time
  /// arguments, a service may follow itself, so both stay.
  static func merged(_ path: [ServiceIdentity]) -> [ServiceIdentity] {
    path.reduce(into: []) { merged, identity in
      if let last = merged.last, last.isSame(as: identity), identity.arguments.isEmpty { return }
      merged.append(identity)
    }
  }

  /// A hazard slot or a frame of the chain.
  private enum Element {
    case slot(HazardSlot)
    case frame(ResolutionFrame)

    /// Nil for an element that is no service: a borrowed instance, a mark, or the root of a call.
    var binding: BindingID? {
      switch self {
      case .slot(let slot): BindingID(slot)
      case .frame(let frame): frame.binding
      }
    }

    var service: ChainedService? {
      switch self {
      case .slot(let slot): slot.borrowBinding { ChainedService($0) }
      case .frame(let frame): frame.service
      }
    }

    /// Whether the element is a service that a fixed container keeps, whichever container is asked for it.
    var isKeptByFixedContainer: Bool {
      switch self {
      case .slot(let slot): slot.borrowBinding { $0.policy.isKeptByFixedContainer } ?? false
      case .frame(let frame): frame.isKeptByFixedContainer
      }
    }

    /// Whether the service is still under construction. A frame whose factory has ended may be the parent of a live one; its binding may
    /// have been freed and its address reused.
    var isLive: Bool { if case .frame(let frame) = self { frame.isLive } else { true } }

    /// Whether the element is the service of a binding, and still under construction.
    func isLive(_ binding: BindingID) -> Bool { self.binding == binding && isLive }
  }

  /// Visits the elements, innermost first, until the function returns a result.
  private func search<Result>(_ body: (Element) -> Result?) -> Result? {
    let record = ThreadRecordPointer.current
    for slot in slots.reversed() {
      if let result = body(.slot(record.slot(at: slot))) { return result }
    }
    var next = frame
    while let current = next {
      if let result = body(.frame(current)) { return result }
      next = current.parent
    }
    return nil
  }

  /// The binding whose factory or hook makes the request; nil for a call from outside.
  var innermostBinding: BindingID? { search(\.binding) }

  /// The service of which a synchronous closure makes the request: its factory or a hook. Nil for any other request.
  var synchronousRequester: ServiceIdentity? {
    let maker = search { element in element.service.flatMap { $0.isIndirect ? nil : $0 } }
    return maker.flatMap { $0.isSynchronousFactory ? $0.identity : nil }
  }

  /// The services from the root to the requesting one, including aliases and decorators.
  var services: [ChainedService] {
    var services: [ChainedService] = []
    _ = search { element -> Void? in
      if let service = element.service { services.append(service) }
      return nil
    }
    return services.reversed()
  }

  /// Whether a service is under construction in the chain, so that another build of it would be a cycle.
  func contains(_ binding: BindingID) -> Bool {
    search { $0.isLive(binding) ? true : nil } ?? false
  }

  /// Whether a build of an unkept service within its own factory would never end.
  ///
  /// It may end in two cases:
  ///
  /// - An injection into a kept instance has led to it. The injection runs once, and the inner build gets that instance.
  /// - A service has led to it that a fixed container keeps. The inner build uses the registrations of that container, which may differ
  ///   from those of the outer build. If it leads to that service again, the service's cell finds the cycle.
  func isEndless(_ binding: Binding) -> Bool {
    guard binding.recursionIsCycle, contains(binding.id) else { return false }
    guard let attempt else { return true }
    let injecting = WaitGraph.builds(leadingTo: attempt).filter { $0.has(.injecting) }
    return search { element in
      if element.isLive(binding.id) { return true }
      return element.isKeptByFixedContainer || injecting.contains { isStart(element, of: $0) } ? false : nil
    } ?? true
  }

  /// The edge by which the chain's build waits for another one. Nil if the chain is part of no build in flight.
  ///
  /// - Parameter cell: The target's cell, for a wait.
  func edge(
    to target: Attempt, _ kind: WaitGraph.Edge.Kind = .build, in cell: @autoclosure () -> RetainedCell? = nil
  ) -> WaitGraph.Edge? {
    guard let attempt, !attempt.has(.finished) else { return nil }
    // From the innermost service back to the build's own.
    var path = [target.identity]
    let isFound = search { element -> Bool? in
      if let service = element.service { path.append(service.identity) }
      return isStart(element, of: attempt) ? true : nil
    }
    if isFound == nil { path = [target.identity, attempt.identity] }
    return WaitGraph.Edge(source: attempt, target: target, path: path.reversed(), kind: kind, cell: cell())
  }

  /// The bindings after that of the chain's build. Their instances are not kept, and are part of the build.
  func unkept(in attempt: Attempt) -> [BindingID] {
    var bindings: [BindingID] = []
    _ = search { element -> Bool? in
      if isStart(element, of: attempt) { return true }
      if let binding = element.binding { bindings.append(binding) }
      return nil
    }
    return bindings
  }

  /// Whether a build's part of the chain begins at an element.
  private func isStart(_ element: Element, of attempt: Attempt) -> Bool {
    switch element {
    case .slot(let slot): slot == attempt.slot
    case .frame(let frame) where attempt.isLazy: frame.isRoot && frame.attempt === attempt
    case .frame(let frame): frame.binding?.step == attempt.slot
    }
  }
}

extension Chain {
  /// Creates the chain of an asynchronous factory; without a frame, an empty chain.
  init(_ frame: ResolutionFrame?) { self.init(attempt: frame?.attempt, frame: frame, slots: 0..<0) }
}

// A chain refers to slots of the thread that made it.
@available(*, unavailable)
extension Chain: Sendable {}

extension HazardSlot {
  /// Borrows the binding that the slot protects; nil if it protects none. For a slot of the calling thread.
  fileprivate func borrowBinding<Result>(_ body: (borrowing Binding) -> Result) -> Result? {
    BindingID(self).map { _ in Binding.at(FoundBinding(bits: address)).borrow { body($0) } }
  }
}
