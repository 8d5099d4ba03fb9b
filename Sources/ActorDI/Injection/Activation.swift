internal import Synchronization

extension Container {
  /// Makes this container's services available in ``Container/root``, and so to each ``Injected`` property without an
  /// explicit container.
  ///
  /// ```swift
  /// let activation = container.activate()
  /// …
  /// activation.cancel()
  /// ```
  ///
  /// Keep the activation in a property: `_ = container.activate()` ends at once.
  ///
  /// Any number of containers can be active. Root searches its own registrations first, then the active containers in the order of
  /// activation.
  ///
  /// - Returns: The activation. The container is active until the activation is cancelled or its last reference is dropped.
  /// - Concurrency: Callable from any thread. Resolves that begin after the call see the container.
  public nonisolated func activate() -> Activation { Activation(of: self) }
}

/// An activation of a container; see ``Container/activate()``.
///
/// The activation ends when it is cancelled or when its last reference is dropped.
public final class Activation: Sendable {
  private let link: Container.Link?

  fileprivate init(of container: Container) {
    // A link from root to itself would add nothing to its searches.
    link = container === Container.root ? nil : Container.root.link(container)
  }

  deinit { link?.cancel() }

  /// Ends the activation. Resolved instances are not affected.
  ///
  /// - Concurrency: Callable from any thread, any number of times.
  public func cancel() { link?.cancel() }
}
