internal import Synchronization

/// What is being made, and for whom: for a factory whose product depends on where it is used.
///
/// ```swift
/// Registration(Log.self) { r in Log(category: r.context?.requester?.description ?? "main") }
/// ```
///
/// See ``Resolver/context``.
public struct ResolutionContext: Sendable {
  /// A service under construction, as it is registered.
  public struct Service: Sendable, CustomStringConvertible {
    let identity: ServiceIdentity

    /// The type that it is found under.
    public var type: any Any.Type { identity.service }

    /// Whether it is found under a type: `context.requester?.is(Screen.self) == true`.
    ///
    /// - Parameter other: the type to compare ``type`` with.
    public func `is`<Other>(_ other: Other.Type) -> Bool { type == other }

    /// The key that it is found under.
    public var key: (any Hashable & Sendable)? { identity.key?.value }

    /// The types of its run-time arguments, in order.
    public var arguments: [any Any.Type] { identity.arguments }

    /// For example `Greeting(String)["formal"]`.
    public var description: String { identity.description }
  }

  /// What is being made.
  private let made: Service

  /// The service whose factory or hook asked for it; nil when it was asked for from outside.
  public let requester: Service?

  /// The services under construction, from the root to the one that is being made.
  public let path: [String]

  /// The type that is being made, as it is registered.
  public var service: any Any.Type { made.type }

  /// Whether it is made as a type: `context.is((any Log).self)`.
  ///
  /// - Parameter type: the type to compare ``service`` with.
  public func `is`<Other>(_ type: Other.Type) -> Bool { service == type }

  /// The key that it is registered under.
  public var key: (any Hashable & Sendable)? { made.key }

  /// The types of its run-time arguments, in order.
  public var arguments: [any Any.Type] { made.arguments }

  init?(_ chain: Chain) {
    let steps = chain.steps
    // A forward makes nothing and asks for nothing: it shows another service.
    let services = steps.filter { !$0.isForward }.suffix(2)
    guard let made = services.last else { return nil }
    self.made = Service(identity: made.identity)
    requester = services.count == 2 ? services.first.map { Service(identity: $0.identity) } : nil
    path = steps.map(\.identity.description)
  }
}

extension Resolver {
  /// What is being made now, and for whom; nil outside of any factory and hook.
  ///
  /// In a synchronous factory, it is to be asked for on the factory's own thread; in an asynchronous one, also in its child
  /// tasks. A resolver that outlives its factory tells of the factory that asks, if there is one.
  ///
  /// - Complexity: O(*n*) in the length of the chain.
  public var context: ResolutionContext? {
    let chain = currentChain
    // A plain factory that a captured container calls in an asynchronous one knows only of its thread.
    let frame = chain.frame ?? ResolutionFrame.ofCurrentTask
    return ResolutionContext(Chain(attempt: chain.attempt, frame: frame, slots: chain.slots))
  }
}
