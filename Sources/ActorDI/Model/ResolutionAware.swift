internal import Synchronization

/// A service that wants to know when all the services are there that were made along with it.
///
/// ```swift
/// final class Session: ResolutionAware {
///   func didResolve() async throws { try await connect() }
/// }
/// ```
///
/// It is enough to conform: when the outermost resolve call has all its instances, and before it returns, the container
/// calls ``didResolve()`` on those that were made for it: each once, the last created first. An instance that exists is
/// not told of later resolves, nor is one that is registered as such, by
/// ``Registration/init(_:instance:fileID:line:)-(Service.Type,_,_,_)``. If the call fails before that, none is told.
///
/// Other tasks may see a kept instance earlier: ``PostInitialization`` is for what must not be seen before it is done.
///
/// As the function may suspend, such a service is built by asynchronous callers only; see ``PostInitialization``. It has to be Sendable
/// because others hold it by then.
public protocol ResolutionAware: LifecycleParticipant, Sendable {
  /// Runs once, at the end of the resolve call that the instance was made for.
  ///
  /// - Throws: to fail that call. The others are told all the same, and what is kept stays kept.
  func didResolve() async throws
}

/// The instances that are to be told when their call has ended.
final class AwareInstances: Sendable {
  struct Entry: Sendable {
    /// When it was created, among all in the process.
    let number: UInt64
    let instance: any ResolutionAware
  }

  private let entries = Lock<[Entry]>([])
  private static let lastNumber = Atomic<UInt64>(0)

  /// - Returns: its number, to remove it by.
  func add(_ instance: any ResolutionAware) -> UInt64 {
    let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    entries.withLock { $0.append(Entry(number: number, instance: instance)) }
    return number
  }

  func add(_ others: [Entry]) {
    entries.withLock { $0 += others }
  }

  /// It came to nothing: a hook has failed.
  func remove(_ number: UInt64) {
    // What is removed may be the last reference: it goes after the lock.
    _ = entries.withLock { entries in
      entries.firstIndex { $0.number == number }.map { entries.remove(at: $0) }
    }
  }

  func takeAll() -> [Entry] {
    entries.withLock { entries in
      let all = entries
      entries = []
      return all
    }
  }

  /// Tells all of them, the last created first.
  ///
  /// - Throws: the first error, after all have been told.
  func tellAll() async throws {
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

extension LazyReference<AwareInstances> {
  /// The list, made now if it was not before.
  var made: AwareInstances { load() ?? storeIfNil(AwareInstances()) }
}
