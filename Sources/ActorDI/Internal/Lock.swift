internal import CActorDI
internal import Synchronization

/// The library's only lock: a `Mutex` that ThreadSanitizer understands.
///
/// The sanitizer does not see the orderings that `Synchronization.Mutex` establishes through the kernel, and reports false
/// races. Both ends of each critical section therefore inform it, by a call that is empty without the sanitizer.
///
/// No user code runs inside `withLock`: no factory, hook, observer, continuation or `deinit`, only the `==` of keys. The closure returns
/// the remaining work, which the caller does after unlocking.
package struct Lock<State: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<State>

  package init(_ state: consuming sending State) { mutex = Mutex(state) }

  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    // The mutex's own address, not the state's. Taking the state's address would be an access that the sanitizer sees before it
    // learns of the ordering. The mutex does not move while it is in use.
    let address = unsafe withUnsafePointer(to: mutex) { unsafe UnsafeRawPointer($0) }
    return try mutex.withLock { state throws(Failure) -> sending Result in
      unsafe actordi_tsan_acquire(address)
      defer { unsafe actordi_tsan_release(address) }
      return try body(&state)
    }
  }
}
