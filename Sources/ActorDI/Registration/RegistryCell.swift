internal import Synchronization

/// A container's registry under its lock.
final class RegistryCell: Sendable {
  private let registry = Lock(Registry())
  private let lastOrder = Atomic<UInt>(0)

  func withLock<Result, Failure: Error>(
    _ body: (inout sending Registry) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try registry.withLock(body)
  }

  /// Numbers bindings in the order in which they are made.
  func nextOrder() -> UInt {
    lastOrder.add(1, ordering: .relaxed).newValue
  }
}
