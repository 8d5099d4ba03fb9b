/// What a factory resolves its dependencies from.
///
/// A resolver stands for a container and for the chain of services under construction, by which cycles are seen and
/// `.graph` instances shared. It is Sendable: an asynchronous factory may use it in child tasks. One that is kept beyond
/// its factory goes on working, and begins a new chain with each call. It keeps its container alive.
///
/// Its functions are those of ``Resolving``, as a ``Container``'s.
@frozen
public struct Resolver: Sendable {
  /// The container that is resolved from.
  public let container: Container

  /// The asynchronous factory that this resolver was made for. Synchronous chains stand in their thread's record instead.
  @usableFromInline let frame: ResolutionFrame?

  @inlinable
  @inline(__always)
  init(container: Container, frame: ResolutionFrame?) {
    self.container = container
    self.frame = frame
  }

  /// The resolver of a synchronous factory, or of a call from outside.
  @inlinable
  @inline(__always)
  init(container: Container) {
    self.container = container
    frame = nil
  }

  /// The frame, if its factory is still running.
  var liveFrame: ResolutionFrame? {
    guard let frame, frame.isLive else { return nil }
    return frame
  }
}

extension ServiceIdentity {
  /// Whether it can be resolved without being registered.
  var isBuiltIn: Bool {
    !takesArguments && (service == Container.self || service == Resolver.self)
  }
}
