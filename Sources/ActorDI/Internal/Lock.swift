internal import CActorDI
internal import Synchronization

/// The library's only lock: a `Mutex` that ThreadSanitizer understands, and that is locked and unlocked in one place each.
///
/// The sanitizer does not see the orderings that `Synchronization.Mutex` makes through the kernel, and
/// reports races that are none. Both ends of each critical section therefore tell it, in a call that is
/// empty without the sanitizer.
///
/// `Mutex.withLock` puts both ends into each of its callers, some 200 bytes of machine code: a tenth of the library. Hence the
/// mutex and the state side by side, as they are inside a `Mutex` with a state.
///
/// No user code runs inside `withLock`: no factory, hook, observer, continuation or `deinit`. What has to
/// happen after a decision is returned from the closure and done by the caller.
// Unchecked: what is in the cell is accessed only by who holds the gate, as in `Mutex`, which is unchecked for the same reason.
package struct Lock<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let gate = Gate()
  private let state: _Cell<State>

  package init(_ state: consuming sending State) {
    self.state = _Cell(state)
  }

  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    gate.enter()
    defer { gate.leave() }
    // The address apart: an access by way of the cell would be one to the lock itself, as the sanitizer sees it.
    let address = unsafe state._address
    return try unsafe body(&address.pointee)
  }
}

/// What a `Lock` is locked by.
private struct Gate: ~Copyable, Sendable {
  private let mutex = Mutex<Void>(())

  // Its own address, not the state's: taking that would be an access, which the sanitizer would see before it has been told of
  // the order. The mutex is never moved while it is in use.
  private var address: UnsafeRawPointer {
    unsafe withUnsafePointer(to: mutex) { unsafe UnsafeRawPointer($0) }
  }

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
