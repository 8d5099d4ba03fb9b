/// The rarely used fields of a binding: its relations to other bindings, and the state of some scopes.
///
/// `@unchecked Sendable` because fields that are not atomic are written before publication, or used under the
/// registry's lock.
final class BindingExtras: @unchecked Sendable {
  /// The storage of ``Binding/kind``. Set before publication, so no two accesses can overlap.
  @exclusivity(unchecked) var storedKind = Binding.Kind.registration
  /// Whether the binding is a decorator that its registration states. Set before publication.
  var isPartOfRegistration = false
  /// See ``Binding/replaced``. Under the registry's lock.
  var replaced: [RegistrationInfo] = []
  /// The other containers whose decorators wrap this binding.
  let decoratingContainers = LazyReference<WeakList<Container>>()
  /// See ``Binding/aliases``.
  let aliases = Lock<[Binding]>([])

  /// See ``InstanceHolder/argumentCells``. Set before publication.
  var argumentCells: ArgumentCells?
  /// See ``Binding/pool``. Set before publication.
  var pool: Pool?

  /// See ``Binding/outer``. Weak, since the outer binding holds this one. Under the registry's lock.
  weak var outer: Binding?
  /// See ``Binding/savedCount``. Under the registry's lock.
  var savedCount = 0

  /// The requests of all builds under overrides; see ``Binding/learn(from:under:)``.
  let learned = LazyReference<RequestNotes>()

  /// See ``Binding/keptNumber``. For overrides, for which a container may keep an instance that it would not keep
  /// otherwise.
  let keptNumber = KeptNumber(isByName: false)
}
