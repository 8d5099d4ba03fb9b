internal import Synchronization

/// A service that is notified once all services made in the same resolve exist.
///
/// ```swift
/// final class Session: ResolutionAware {
///   func didResolve() async throws { try await connect() }
/// }
/// ```
///
/// Conforming is enough, except for a transient registered as a class: see ``PostInitialization``. When the outermost resolve call has all its instances, and before it returns, the container calls
/// ``didResolve()`` on the instances made for that call: once each, the last created first. Existing instances are not
/// notified of later resolves. Nor is an instance registered with
/// ``Registration/init(_:instance:fileID:line:)-(Service.Type,_,_,_)``. If the call fails earlier, no instance is notified.
///
/// Other tasks may see a kept instance before it is notified. Use ``PostInitialization`` for work that must be complete
/// before other tasks see the instance.
///
/// Since the function may suspend, only asynchronous callers build such a service; see ``PostInitialization``. The service
/// must be Sendable because other tasks may hold it by then.
public protocol ResolutionAware: LifecycleParticipant, Sendable {
  /// Runs once, at the end of the resolve call that made the instance.
  ///
  /// - Throws: An error to fail that call. The other instances are still notified, and kept instances stay kept.
  func didResolve() async throws
}

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
