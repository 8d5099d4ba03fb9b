public import Synchronization

/// The rarely used fields of a binding: its relations to other bindings, and the state of some scopes.
///
/// `@unchecked Sendable` because fields that are not atomic are written before publication, or used under the
/// registry's lock.
@usableFromInline
final class BindingExtras: @unchecked Sendable {
  /// The address of the ``WeakBox`` of a weakly kept instance, with a reference; 0 for none. Follows the rules of
  /// ``Binding/instance``.
  @usableFromInline let weakInstance = Atomic<UInt>(0)

  /// See ``Binding/parts``. Set before publication.
  private(set) var parts: [Binding] = []
  private(set) var standing = Binding.Standing.alone
  /// The decorated binding of another container, which may be deallocated first. Set before publication.
  private(set) var reached: (binding: Binding, home: ContainerReference)?
  /// The other containers whose decorators wrap this binding.
  let decoratedElsewhere = LazyReference<WeakList<Container>>()
  /// See ``Binding/aliases``. Set before publication.
  private(set) var aliases: AliasList?
  /// See ``Binding/primary``. Set before publication.
  private(set) var primary: Binding?

  /// See ``InstanceHolder/argumentCells``.
  let argumentCells: ArgumentCells?
  /// See ``Binding/pool``.
  let pool: Pool?

  /// See ``Binding/wrapper``. Weak, since the wrapper holds this binding. Under the registry's lock.
  weak var wrapper: Binding?
  /// See ``Binding/savedCount``. Under the registry's lock.
  var savedCount = 0

  /// See ``Binding/keptNumber``. For overrides, for which a container may keep an instance that it would not keep
  /// otherwise.
  let keptNumber = KeptNumber.next(isByName: false)

  init() {
    argumentCells = nil
    pool = nil
  }

  /// Creates the state that the scope needs.
  init(for scope: Scope, keepsPerArguments: Bool) {
    argumentCells = keepsPerArguments ? ArgumentCells() : nil
    pool = scope.poolLimit.map { Pool(limit: $0) }
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

  func show(by aliases: AliasList) { self.aliases = aliases }
  func show(_ primary: Binding) { self.primary = primary }
}
