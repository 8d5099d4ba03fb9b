#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread of the operating system that runs a closure.
///
/// Marked `@safe` although the handle is a pointer on some systems: it stays valid until ``join()``, which must be called exactly once.
@safe
struct SystemThread {
  private let handle: pthread_t

  /// Starts a thread; `nil` if the system cannot start one.
  init?(_ body: @escaping @Sendable () -> Void) {
    let start = unsafe Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Darwin)
          let start = unsafe Unmanaged<Start>.fromOpaque(argument)
        #else
          guard let argument = unsafe argument else { return nil }
          let start = unsafe Unmanaged<Start>.fromOpaque(argument)
        #endif
        unsafe start.takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      unsafe start.release()
      return nil
    }
    #if canImport(Darwin)
      guard let thread = unsafe thread else { return nil }
      unsafe self.handle = thread
    #else
      self.handle = thread
    #endif
  }

  /// Waits until the closure returns.
  func join() {
    #if canImport(Darwin)
      unsafe pthread_join(handle, nil)
    #else
      pthread_join(handle, nil)
    #endif
  }

  /// Carries the closure through the single pointer that the system passes on.
  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
