/// An observer as configurations share it: a copy of a configuration has the same one.
final class ObserverReference: Sendable {
  let observer: any ContainerObserver

  init(_ observer: any ContainerObserver) { self.observer = observer }

  /// Whether it is the same observer: from the same configuration, or the same object.
  func isSame(as other: ObserverReference) -> Bool {
    // Two boxes of one value are two objects.
    self === other || observer as AnyObject === other.observer as AnyObject
  }
}
