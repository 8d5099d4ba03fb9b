/// Keeps a container active for the lifetime of the property.
///
/// ```swift
/// @main struct Shop {
///   @Dependencies var container = Container {
///     Registration(autowired: (any TimeSource).self, scope: .singleton) { SystemTime() }
///   }
/// }
/// ```
///
/// The container is activated, as by ``Container/activate()``, when the property is initialised, and deactivated when the property
/// ends. Assigning another container swaps them: the new container is activated before the old one is deactivated. Copies of a value
/// with such a property share it. A property that is initialised on first use, such as a static one of a `@MainActor` type,
/// activates its container then.
///
/// - Concurrency: Can be read and assigned from any thread.
@propertyWrapper
public struct Dependencies: Sendable {
  /// A container, and its activation, which lasts until it is released.
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
  /// - Parameter wrappedValue: The container to activate.
  public init(wrappedValue: Container) { storage = Storage(wrappedValue) }

  /// The active container.
  public var wrappedValue: Container {
    get { storage.active.withLock { $0.container } }
    nonmutating set { setContainer(newValue) }
  }

  /// The wrapper, through which other code can set the container.
  public var projectedValue: Dependencies { self }

  /// Activates another container in place of the active one.
  ///
  /// - Parameter container: The container to activate.
  public func setContainer(_ container: Container) {
    let next = Active(container)
    // Release the old container outside the lock: this may be its last reference.
    _ = storage.active.withLock { exchange(&$0, with: next) }
  }
}
