internal import CActorDI

extension Unmanaged {
  /// Whether there is one reference to the object, and no other of any kind: strong, weak or unowned. So whoever has that one can tell that
  /// nobody else has the object, nor can come by it.
  ///
  /// `isKnownUniquelyReferenced` does not count weak references. This asks the object itself, and knows as little as can be of the form that
  /// the runtime has the answer in: a new object has one reference, and what says the same as that has one, too. If that ever fails, it is
  /// by saying no.
  ///
  /// It is asked by way of `Unmanaged`, since a reference that is passed may count as well.
  var isSole: Bool {
    #if canImport(ObjectiveC)
      // There, weak references may stand in tables apart from the object.
      false
    #else
      unsafe actordi_reference_counts(toOpaque()) == NewObject.counts
    #endif
  }
}

private final class NewObject {
  static let counts: UInt = {
    let object = unsafe Unmanaged.passRetained(NewObject())
    defer { unsafe object.release() }
    return unsafe actordi_reference_counts(object.toOpaque())
  }()
}
