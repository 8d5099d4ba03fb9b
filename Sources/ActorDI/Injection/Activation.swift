internal import Synchronization

extension Container {
  /// Makes what this container has available to ``Container/root``, and so to every ``Injected`` that names no container.
  ///
  /// ```swift
  /// let activation = container.activate()
  /// …
  /// activation.cancel()
  /// ```
  ///
  /// Any number of containers may be active. Root looks in itself first, then in them, in the order in which they were activated.
  ///
  /// - Returns: the activation: the container is active until it is cancelled, or nobody holds it any more.
  /// - Concurrency: from any thread; resolves that begin afterwards see it.
  public nonisolated func activate() -> Activation { Activation(of: self) }
}

/// That a container is active: see ``Container/activate()``.
///
/// It ends when it is cancelled, or when its last reference is dropped.
public final class Activation: Sendable {
  private let link: Container.Link?

  fileprivate init(of container: Container) {
    // Root has what it has: a link to itself would keep it nothing but busy.
    link = container === Container.root ? nil : Container.root.link(container)
  }

  deinit { link?.cancel() }

  /// Ends the activation. What was resolved stays as it is.
  ///
  /// - Concurrency: from any thread, any number of times.
  public func cancel() { link?.cancel() }
}
