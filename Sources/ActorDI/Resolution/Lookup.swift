public import Synchronization

/// What the first, pinned steps of a resolve found.
///
/// The thread stays pinned until one of `hit`, `retain` and `produce` is called, and no user code runs in between.
@usableFromInline
@frozen
@safe
struct Lookup {
  @usableFromInline let record: ThreadRecordPointer
  /// The binding's address; 0 for none, or ``unsearched`` for a search that has yet to look.
  @usableFromInline let binding: UInt
  /// The kept instance's box, or a mark: see ``InstanceHolder``.
  @usableFromInline let instance: UInt
  /// The address of the ``LinkArray`` by which the binding's container was found; 0 for the container itself and its parents.
  @usableFromInline let links: UInt

  /// In place of a binding: the container's own registry has not been looked in. Only from a lookup to the search that follows.
  @usableFromInline static var unsearched: UInt {
    @inlinable @inline(__always) get { 1 }
  }

  @inlinable
  @inline(__always)
  init(unsearched record: ThreadRecordPointer) {
    unsafe self.init(record: record, binding: Self.unsearched, instance: 0, links: 0)
  }

  @inlinable
  @inline(__always)
  init(record: ThreadRecordPointer, binding: UInt) {
    let instance =
      binding == 0
      ? 0 : unsafe Binding.at(binding)._withUnsafeGuaranteedRef { $0.instance.load(ordering: .acquiring) }
    unsafe self.init(record: record, binding: binding, instance: instance, links: 0)
  }

  @inlinable
  @inline(__always)
  init(record: ThreadRecordPointer, binding: UInt, instance: UInt, links: UInt) {
    unsafe self.record = record
    self.binding = binding
    self.instance = instance
    self.links = links
  }

  /// Whether there is an instance to take.
  @inlinable
  @inline(__always)
  var isKept: Bool { InstanceHolder.isAddress(instance) }

  /// Whether a synchronous resolve is one call of the factory.
  @inlinable
  @inline(__always)
  var isPlainTransient: Bool {
    guard binding > Self.unsearched else { return false }
    return unsafe Binding.at(binding)._withUnsafeGuaranteedRef { $0.isPlainTransient.load(ordering: .relaxed) }
  }

  /// Whether a search may find more: for anything but an instance of the container's own, and a transient that is made by one call.
  @inlinable
  @inline(__always)
  func isToSearch(for frame: ResolutionFrame?) -> Bool { frame != nil || (!isKept && !isPlainTransient) }

  /// The kept instance. There must be one.
  @inlinable
  @inline(__always)
  func hit<Service>(_ type: Service.Type) -> sending Service {
    // What is kept is Sendable: see ``Instance``.
    nonisolated(unsafe) let value = Instance.value(at: instance, as: type)
    unsafe record.unpin()
    return unsafe value
  }

  /// Ends the pin, and holds on to the binding and its container instead.
  @usableFromInline
  func retain() -> Located? {
    defer { unsafe record.unpin() }
    guard binding != 0 else { return nil }
    return unsafe Binding.at(binding)._withUnsafeGuaranteedRef { unsafe Located(binding: $0, container: $0.owner) }
  }
}

extension Container {
  /// Looks an identity without a hashed key up in this container's own registry.
  ///
  /// As the other lookups of a resolve, it finds nothing where `search` has to look closer.
  @inlinable
  @inline(__always)
  nonisolated func lookup(_ signature: UInt, word: UInt = 0) -> Lookup {
    let record = unsafe ThreadRecordPointer.current
    let isWatched = unsafe record.pin()
    let address = snapshot.load(ordering: .sequentiallyConsistent)
    if isWatched || address <= Snapshot.closed { return unsafe Lookup(unsearched: record) }
    return unsafe Lookup(record: record, binding: Snapshot(at: address).find(signature, word))
  }

  /// Looks a keyed identity up in this container's own registry.
  @inlinable
  @inline(__always)
  nonisolated func lookup<Value: Hashable & Sendable>(_ signature: UInt, key: Value, word: UInt) -> Lookup {
    let record = unsafe ThreadRecordPointer.current
    let isWatched = unsafe record.pin()
    let address = snapshot.load(ordering: .sequentiallyConsistent)
    if isWatched || address <= Snapshot.closed { return unsafe Lookup(unsearched: record) }
    let binding = Snapshot(at: address).find(signature, word) { Binding.hasKey($0, key) }
    return unsafe Lookup(record: record, binding: binding)
  }
}

extension Binding {
  /// Whether the key of a binding is this value. Compares the value without erasing it.
  @inlinable
  @inline(__always)
  static func hasKey<Value: Hashable & Sendable>(_ binding: UInt, _ value: Value) -> Bool {
    unsafe Binding.at(binding)._withUnsafeGuaranteedRef { binding in
      guard let key = binding.key, type(of: key) == TypedKey<Value>.self else { return false }
      return unsafe unsafeDowncast(key, to: TypedKey<Value>.self).typedValue == value
    }
  }
}

extension Lookup {
  /// The ``WeakBox`` of the instance that the binding keeps weakly, with the object held for ``WeakBox/takeBits(to:)``; nil when it is not
  /// there. Under the pin.
  ///
  /// Only at the top of a call tree: within one, what is resolved has to be held to its end, which is for the slow path to do.
  @inline(__always)
  func holdWeakInstance() -> UnheldReference<WeakBox>? {
    let address = unsafe Binding.at(binding)._withUnsafeGuaranteedRef {
      unsafe $0.lazyExtras.loadUnretained()?._withUnsafeGuaranteedRef { $0.weakInstance.load(ordering: .acquiring) }
        ?? 0
    }
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    let box = UnheldReference<WeakBox>(at: UInt(bitPattern: pointer))
    return box.lend { $0.holdObject() } ? box : nil
  }
}
