import Foundation

/// Runs a function on a thread of its own, which may block, and waits for it by suspending.
func onThread<Value: Sendable>(
  stackSize: Int? = nil, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try body() }) }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }
}

/// Runs a synchronous function: in asynchronous code, the synchronous form of what it calls is
/// taken.
@discardableResult
func sync<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
