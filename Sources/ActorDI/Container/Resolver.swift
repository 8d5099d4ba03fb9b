/// The source from which a factory resolves its dependencies.
///
/// A resolver represents a container and the chain of services under construction. By the chain, the container detects
/// cycles and shares `.graph` instances. A resolver is Sendable: an asynchronous factory may use it in child tasks.
/// After the end of its factory a resolver still works, and begins a new chain with each call. It keeps its container
/// alive.
///
/// ``Resolving`` declares its functions, which a ``Container`` has as well.
@frozen
public struct Resolver: Sendable {
  /// The container to resolve from.
  public let container: Container

  /// The frame of an asynchronous factory. Nil for a synchronous one, whose chain is in its thread's record.
  @usableFromInline let frame: ResolutionFrame?

  @_alwaysEmitIntoClient @inline(__always)
  init(container: Container, frame: ResolutionFrame?) {
    self.container = container
    self.frame = frame
  }

  /// Creates the resolver of a synchronous factory, or of a call from outside.
  // No default argument in its place: the optimiser would retain the container for the call of each factory.
  @_alwaysEmitIntoClient @inline(__always)
  init(container: Container) {
    self.container = container
    frame = nil
  }
}

extension ServiceIdentity {
  /// Whether the service can be resolved without a registration. The container and its resolver have no keys.
  var isBuiltIn: Bool { !takesArguments && key == nil && Self.isBuiltIn(service) }

  /// Whether a type can be resolved without a registration and without run-time arguments.
  static func isBuiltIn(_ service: any Any.Type) -> Bool { service == Container.self || service == Resolver.self }
}
