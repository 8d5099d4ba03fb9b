internal import CActorDI
internal import Synchronization

/// The library's only lock: a `Mutex` that ThreadSanitizer understands.
///
/// The sanitizer does not see the orderings that `Synchronization.Mutex` makes through the kernel, and
/// reports races that are none. Both ends of each critical section therefore tell it, in a call that is
/// empty without the sanitizer.
///
/// No user code runs inside `withLock`: no factory, hook, observer, continuation or `deinit`. What has to
/// happen after a decision is returned from the closure and done by the caller.
package struct Lock<State: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<State>

  package init(_ state: consuming sending State) {
    mutex = Mutex(state)
  }

  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    // The mutex is never moved while it is in use. Its own address, not the state's: taking that would be an access, which the
    // sanitizer would see before it has been told of the order.
    let address = unsafe withUnsafePointer(to: mutex) { unsafe UnsafeRawPointer($0) }
    return try mutex.withLock { state throws(Failure) -> sending Result in
      unsafe actordi_tsan_acquire(address)
      defer { unsafe actordi_tsan_release(address) }
      return try body(&state)
    }
  }
}
