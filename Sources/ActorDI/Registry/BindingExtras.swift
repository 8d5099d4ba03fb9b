public import Synchronization

/// What few bindings have: other bindings that they stand for or behind, and what few scopes need.
///
/// `@unchecked Sendable` because what is not atomic is set before the binding is published, or used under its registry's lock.
@usableFromInline
final class BindingExtras: @unchecked Sendable {
  /// The address of the ``WeakBox`` of an instance that is kept weakly, with a reference; 0 while there is none. As
  /// ``Binding/instance`` in all else.
  @usableFromInline let weakInstance = Atomic<UInt>(0)

  /// See ``Binding/parts``. Set before publication.
  private(set) var parts: [Binding] = []
  private(set) var standing = Binding.Standing.alone
  /// What the binding decorates that stands in another container, which may go before it. Set before publication.
  private(set) var reached: (binding: Binding, home: ContainerReference)?
  /// The containers whose decorators have been put around this binding, which stands in another one.
  let decoratedElsewhere = LazyReference<WeakList<Container>>()
  /// See ``Binding/forwards``. Set before publication.
  private(set) var forwards: ForwardList?
  /// See ``Binding/primary``. Set before publication.
  private(set) var primary: Binding?

  /// Where each tuple of run-time arguments has an instance of its own.
  let argumentCells: ArgumentCells?
  /// Of a pooled service.
  let pool: Pool?

  /// The binding that this one stands behind. Weak, since that one holds this. Under the registry's lock.
  weak var wrapper: Binding?
  /// How often ``Registry/push()`` has saved the binding. Under the registry's lock.
  var savedCount = 0

  /// See ``Binding/keptNumber``. For an override, which may have a container keep what it would not otherwise.
  let keptNumber = KeptNumber.next(isByName: false)

  init() {
    argumentCells = nil
    pool = nil
  }

  /// What the scope needs.
  init(for descriptor: Descriptor) {
    argumentCells = descriptor.keepsPerArguments ? ArgumentCells() : nil
    pool = descriptor.scope.poolLimit.map { Pool(limit: $0) }
  }

  deinit {
    let address = weakInstance.load(ordering: .acquiring)
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }

  func stand(for parts: [Binding], as standing: Binding.Standing) {
    self.parts = parts
    self.standing = standing
  }

  func reach(_ binding: Binding, in home: ContainerReference) {
    reached = (binding, home)
    standing = .decorator
  }

  func show(by forwards: ForwardList) { self.forwards = forwards }
  func show(_ primary: Binding) { self.primary = primary }
}

extension Descriptor {
  /// Whether the scope needs some of ``BindingExtras``.
  var needsExtras: Bool {
    @inline(__always) get { scope.isWeak || scope.poolLimit != nil || keepsPerArguments }
  }
}
