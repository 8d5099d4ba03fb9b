import Foundation

/// Runs a function on a new thread, which may block, and suspends until it returns.
package func onThread<Value: Sendable>(
  stackSize: Int? = nil, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try body() }) }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }
}

/// Runs a synchronous closure in asynchronous code, so that the compiler chooses synchronous overloads in it.
@discardableResult
package func sync<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
