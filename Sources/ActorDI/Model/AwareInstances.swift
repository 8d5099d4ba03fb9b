internal import Synchronization

/// The instances to notify when their resolve call ends.
final class AwareInstances: Sendable {
  struct Entry: Sendable {
    /// The position of the instance among all that the process has created.
    let number: UInt64
    let instance: any ResolutionAware
  }

  private let entries = Lock<[Entry]>([])
  private static let lastNumber = Atomic<UInt64>(0)

  /// Adds an instance.
  ///
  /// - Returns: The number by which to remove the instance again.
  func add(_ instance: any ResolutionAware) -> UInt64 {
    let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    entries.withLock { $0.append(Entry(number: number, instance: instance)) }
    return number
  }

  func add(_ others: [Entry]) { entries.withLock { $0 += others } }

  /// Removes an instance whose build has failed, for example in a hook.
  func remove(_ number: UInt64) {
    // The removed entry may hold the last reference: it is released after the lock.
    _ = entries.withLock { entries in
      entries.firstIndex { $0.number == number }.map { entries.remove(at: $0) }
    }
  }

  func takeAll() -> [Entry] { entries.withLock { exchange(&$0, with: []) } }

  /// Notifies all instances, the last created first.
  ///
  /// - Throws: The first error, after all instances have been notified.
  func notifyAll() async throws {
    var failure: (any Error)?
    for entry in takeAll().sorted(by: { $0.number > $1.number }) {
      do {
        try await entry.instance.didResolve()
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}
