// Snapshots as the registry sees them: by the bindings that they contain.
extension Snapshot {
  /// The binding of an identity. Under a pin or the registry's lock, so that the snapshot cannot be freed meanwhile.
  func find(_ identity: ServiceIdentity) -> Binding? {
    let found = find(identity.signature, identity.word) { found in
      Binding.at(found).borrow { $0.key == identity.key }
    }
    return found.isBinding ? Binding.at(found).borrow { $0 } : nil
  }
}

extension SnapshotDraft {
  /// Creates a snapshot of a few bindings.
  ///
  /// - Returns: Nil if two of them have the same identity.
  static func snapshot(of bindings: [Binding]) -> Snapshot.Address? {
    var slots = 4
    while bindings.count > Size(segments: 1, slots: slots).capacity { slots *= 2 }
    let header = unsafe makeHeader(segments: 1, slots: slots)
    let segment = unsafe makeSegment(slots: slots, ticket: firstTicket)
    unsafe header[firstSegment] = UInt(bitPattern: segment)
    for binding in bindings {
      let identity = binding.descriptor.identity
      if unsafe Snapshot(at: Snapshot.Address(header)).find(identity) != nil {
        unsafe deallocate(Snapshot.Address(header))
        return nil
      }
      let entry = Entry(signature: identity.signature, word: identity.word, binding: binding.address)
      unsafe store(entry, in: segment, slots: slots)
      unsafe header[Snapshot.servicesIndex] |= Snapshot.filter(identity.signature)
    }
    return unsafe Snapshot.Address(header)
  }
}
