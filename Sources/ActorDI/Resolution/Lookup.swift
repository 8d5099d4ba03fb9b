public import Synchronization

/// What the first, pinned steps of a resolve found: the read path's only product.
///
/// The thread stays pinned until one of `hit` and `miss` is called, and no user code runs in between.
@usableFromInline
@frozen
@safe
struct Lookup {
  @usableFromInline let record: ThreadRecordPointer
  /// The binding's address, or 0.
  @usableFromInline let binding: UInt
  /// The kept instance's box, or 0.
  @usableFromInline let instance: UInt

  @inlinable
  @inline(__always)
  init(record: ThreadRecordPointer, binding: UInt) {
    unsafe self.record = record
    self.binding = binding
    instance =
      binding == 0
      ? 0
      : unsafe Binding.at(binding)._withUnsafeGuaranteedRef {
        $0.instance.load(ordering: .acquiring)
      }
  }

  /// The kept instance. `instance` must not be 0.
  @inlinable
  @inline(__always)
  func hit<Service>(_ type: Service.Type) -> sending Service {
    // What is kept is Sendable: see ``Instance``.
    nonisolated(unsafe) let value = Instance.value(at: instance, as: type)
    unsafe record.unpin()
    return unsafe value
  }

  /// Ends the pin, and holds on to the binding instead.
  @usableFromInline
  func retainBinding() -> Binding? {
    let found =
      binding == 0 ? nil : unsafe Binding.at(binding)._withUnsafeGuaranteedRef { $0 }
    unsafe record.unpin()
    return found
  }

  /// The same under a lock.
  func retainBindingUnattended() -> Binding? {
    let found = unsafe binding == 0 ? nil : Binding.at(binding).takeUnretainedValue()
    unsafe record.unpinUnattended()
    return found
  }
}

extension Container {
  /// Looks an identity without a hashed key up in this container's own registry.
  ///
  /// As the other lookups of a resolve, it finds nothing where the general path has to be taken.
  @inlinable
  @inline(__always)
  nonisolated func lookup(_ signature: UInt, word: UInt = 0) -> Lookup {
    let record = unsafe ThreadRecordPointer.current
    if unsafe record.pin() { return unsafe Lookup(record: record, binding: 0) }
    let snapshot = Snapshot(at: snapshot.load(ordering: .sequentiallyConsistent))
    return unsafe Lookup(record: record, binding: snapshot.find(signature, word))
  }

  /// Looks a keyed identity up in this container's own registry.
  @inlinable
  @inline(__always)
  nonisolated func lookup<Value: Hashable & Sendable>(_ signature: UInt, key: Value) -> Lookup {
    let word = KeyWord.hash(key)
    let record = unsafe ThreadRecordPointer.current
    if unsafe record.pin() { return unsafe Lookup(record: record, binding: 0) }
    let snapshot = Snapshot(at: snapshot.load(ordering: .sequentiallyConsistent))
    let binding = snapshot.find(signature, word) { address in
      unsafe Binding.at(address)._withUnsafeGuaranteedRef { $0.hasKey(key) }
    }
    return unsafe Lookup(record: record, binding: binding)
  }

  /// As `lookup`, for a key that is erased already.
  nonisolated func lookup(erased identity: ServiceIdentity) -> Lookup {
    let found = lookup(identity)
    guard unsafe found.record.isDetoured else { return found }
    return unsafe Lookup(record: found.record, binding: 0)
  }

  /// What this container's own registry has for an identity, whatever path a resolve would take.
  nonisolated func lookup(_ identity: ServiceIdentity) -> Lookup {
    let record = unsafe ThreadRecordPointer.current
    unsafe record.pin()
    let snapshot = Snapshot(at: snapshot.load(ordering: .sequentiallyConsistent))
    let binding = snapshot.find(identity.signature, identity.word) { address in
      unsafe Binding.at(address)._withUnsafeGuaranteedRef { $0.key == identity.key }
    }
    return unsafe Lookup(record: record, binding: binding)
  }
}

extension Binding {
  /// Whether the key is this value. Compares the value without erasing it.
  @inlinable
  @inline(__always)
  final func hasKey<Value: Hashable & Sendable>(_ value: Value) -> Bool {
    guard let key, type(of: key) == TypedKey<Value>.self else { return false }
    return unsafe unsafeDowncast(key, to: TypedKey<Value>.self).typedValue == value
  }
}
