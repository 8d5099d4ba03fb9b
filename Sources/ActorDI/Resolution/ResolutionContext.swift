internal import Synchronization

/// The service under construction and its requester, for factories whose product depends on the requester.
///
/// ```swift
/// Registration(Log.self) { r in
///   Log(category: r.context?.requester?.description ?? "main")
/// }
/// ```
///
/// See ``Resolver/context``.
public struct ResolutionContext: Sendable {
  /// A service under construction, as registered.
  public struct Service: Sendable, CustomStringConvertible {
    let identity: ServiceIdentity

    /// The service type, as registered.
    public var type: any Any.Type { identity.service }

    /// Whether the service is registered under a type: `context.requester?.is(Screen.self) == true`.
    ///
    /// - Parameter other: The type to compare with ``type``.
    public func `is`<Other>(_ other: Other.Type) -> Bool { type == other }

    /// The key that the service is registered under, if any.
    public var key: (any Hashable & Sendable)? { identity.key?.value }

    /// The types of the run-time arguments, in order.
    public var arguments: [any Any.Type] { identity.arguments }

    /// A description such as `Greeting(String)["formal"]`.
    public var description: String { identity.description }
  }

  /// The service under construction.
  private let made: Service

  /// The service whose factory or hook made the request; nil if the request came from outside of any factory.
  public let requester: Service?

  /// The services under construction, from the outermost to the innermost.
  public let path: [String]

  /// The type of the service under construction, as registered.
  public var service: any Any.Type { made.type }

  /// Whether the service under construction is registered under a type: `context.is((any Log).self)`.
  ///
  /// - Parameter type: The type to compare with ``service``.
  public func `is`<Other>(_ type: Other.Type) -> Bool { service == type }

  /// The key that the service under construction is registered under, if any.
  public var key: (any Hashable & Sendable)? { made.key }

  /// The types of the run-time arguments, in order.
  public var arguments: [any Any.Type] { made.arguments }

  init?(_ chain: Chain) {
    let services = chain.services
    // An alias neither makes nor requests an instance: it shows another service.
    let last = services.filter { !$0.isIndirect }.suffix(2)
    guard let made = last.last else { return nil }
    self.made = Service(identity: made.identity)
    requester = last.count == 2 ? last.first.map { Service(identity: $0.identity) } : nil
    path = services.map(\.identity.description)
  }
}

extension Resolver {
  /// The service under construction and its requester; nil outside of any factory and hook.
  ///
  /// In a synchronous factory, read this property on the factory's own thread; in an asynchronous factory, child tasks may read it too.
  /// A resolver that outlives its factory describes the factory that is running when the property is read, if any.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the chain.
  public var context: ResolutionContext? {
    let chain = currentChain
    // A synchronous factory that resolves from a captured container, within an asynchronous factory, has a chain on its thread only.
    let frame = chain.frame ?? ResolutionFrame.ofCurrentTask
    return ResolutionContext(Chain(attempt: chain.attempt, frame: frame, slots: chain.slots))
  }
}
