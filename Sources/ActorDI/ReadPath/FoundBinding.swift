/// What a lookup or a search has found: the address of a binding, or a mark.
@usableFromInline @frozen
struct FoundBinding: Equatable, BitwiseCopyable, Sendable {
  /// The address, which is greater than every mark.
  @usableFromInline let bits: UInt

  @_alwaysEmitIntoClient @inline(__always)
  init(bits: UInt) { self.bits = bits }

  /// Creates the mark for a container that has a mark in place of a snapshot: ``nothing``, or ``unsure`` if it is closed. Both have the same
  /// bits in either type.
  @_alwaysEmitIntoClient @inline(__always)
  init(_ mark: Snapshot.Address) { bits = mark.bits }

  @_alwaysEmitIntoClient @inline(__always)
  static func == (left: Self, right: Self) -> Bool { left.bits == right.bits }

  /// The snapshots that were searched have no binding of the identity.
  @_alwaysEmitIntoClient @inline(__always) static var nothing: FoundBinding { FoundBinding(bits: 0) }

  /// Nothing certain: a container is closed, overrides may be in force, the key has only a hash, or a limit is reached. Another search
  /// decides.
  @_alwaysEmitIntoClient @inline(__always) static var unsure: FoundBinding { FoundBinding(bits: 1) }

  /// No container of the search path has the identity, and no override is in force for the task. So the slow path need not search again.
  static var absent: FoundBinding { FoundBinding(bits: 2) }

  /// Whether there is a binding.
  @_alwaysEmitIntoClient @inline(__always)
  var isBinding: Bool { bits > 7 }
}

/// The identity of a binding, for comparison only: the binding may have been freed.
struct BindingID: Hashable, Sendable {
  let address: UInt

  init(at address: UInt) { self.address = address }
}
