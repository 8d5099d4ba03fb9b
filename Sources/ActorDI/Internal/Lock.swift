internal import CActorDI
internal import Synchronization

/// The library's only lock: a `Mutex` that ThreadSanitizer understands, locked and unlocked in one place each.
///
/// The sanitizer does not see the orderings that `Synchronization.Mutex` establishes through the kernel, and reports false
/// races. Both ends of each critical section therefore inform it, by a call that is empty without the sanitizer.
///
/// `Mutex.withLock` inlines both ends into each caller: about 200 bytes of machine code each, a tenth of the library. So
/// mutex and state are stored side by side, as they are inside a `Mutex` with a state.
///
/// No user code runs inside `withLock`: no factory, hook, observer, continuation or `deinit`. The closure returns the
/// remaining work, which the caller does after unlocking.
// `@unchecked Sendable` because only the holder of the gate accesses the cell. `Mutex` is unchecked for the same reason.
package struct Lock<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let gate = Gate()
  private let state: _Cell<State>

  package init(_ state: consuming sending State) { self.state = _Cell(state) }

  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    gate.enter()
    defer { gate.leave() }
    // Take the address first: the sanitizer would see an access through the cell as an access to the lock itself.
    let address = unsafe state._address
    return try unsafe body(&address.pointee)
  }
}

/// The mutex of a `Lock`, with the calls that inform ThreadSanitizer.
private struct Gate: ~Copyable, Sendable {
  private let mutex = Mutex<Void>(())

  // The gate's own address, not the state's. Taking the state's address would be an access that the sanitizer sees before it
  // learns of the ordering. The mutex does not move while it is in use.
  private var address: UnsafeRawPointer { unsafe withUnsafePointer(to: mutex) { unsafe UnsafeRawPointer($0) } }

  @inline(never)
  borrowing func enter() {
    mutex._unsafeLock()
    unsafe actordi_tsan_acquire(address)
  }

  @inline(never)
  borrowing func leave() {
    unsafe actordi_tsan_release(address)
    mutex._unsafeUnlock()
  }
}
