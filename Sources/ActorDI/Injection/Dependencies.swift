/// Keeps a container active as long as the property lives.
///
/// ```swift
/// @main struct Shop {
///   @Dependencies var container = Container {
///     Registration((any Clock).self, scope: .singleton) { _ in SystemClock() }
///   }
/// }
/// ```
///
/// The container is activated when the property is initialised, and deactivated when it goes, as by ``Container/activate()``. To
/// assign another container is to swap them: the new one is active before the old one is not any more. Copies of a
/// value that has such a property share it. A property that is initialised on first use, as a global or static one, activates then.
///
/// - Concurrency: can be read and assigned from any thread.
@propertyWrapper
public struct Dependencies: Sendable {
  private struct Active: Sendable {
    let container: Container
    let activation: Activation

    init(_ container: Container) {
      self.container = container
      activation = container.activate()
    }
  }

  private final class Storage: Sendable {
    let active: Lock<Active>
    init(_ container: Container) { active = Lock(Active(container)) }
  }

  private let storage: Storage

  /// Activates a container.
  ///
  /// - Parameter wrappedValue: the container.
  public init(wrappedValue: Container) {
    storage = Storage(wrappedValue)
  }

  /// The active container.
  public var wrappedValue: Container {
    get { storage.active.withLock { $0.container } }
    nonmutating set { setContainer(newValue) }
  }

  /// The wrapper itself, to hand on: whoever has it can set the container.
  public var projectedValue: Dependencies { self }

  /// Activates another container instead.
  ///
  /// - Parameter container: the container.
  public func setContainer(_ container: Container) {
    let next = Active(container)
    // The old container may be held by nobody else: it goes after the lock.
    _ = storage.active.withLock { active in
      let old = active
      active = next
      return old
    }
  }
}
