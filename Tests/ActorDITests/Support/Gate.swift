import Foundation

/// A gate that stays open once opened. Tasks wait for it by suspending, threads by blocking.
package final class Gate: @unchecked Sendable {
  // `@unchecked Sendable` because the condition guards both fields.
  private let condition = NSCondition()
  private var isOpen = false
  private var continuations: [ObjectIdentifier: CheckedContinuation<Void, Never>] = [:]

  package init() {}

  package func open() {
    condition.lock()
    isOpen = true
    let waiting = continuations.values
    continuations = [:]
    condition.broadcast()
    condition.unlock()
    for continuation in waiting { continuation.resume() }
  }

  /// Suspends until the gate is open, even if the task is cancelled. For factories.
  package func wait() async {
    await wait(as: Visitor())
  }

  /// Suspends until the gate is open or the task is cancelled, for example by a time limit. For tests.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func passed() async throws {
    let visitor = Visitor()
    await withTaskCancellationHandler {
      await wait(as: visitor)
    } onCancel: {
      leave(visitor)
    }
    try Task.checkCancellation()
  }

  /// Blocks the thread until the gate is open. For threads made by ``onThread``, never for tasks.
  package func block() {
    condition.lock()
    while !isOpen { condition.wait() }
    condition.unlock()
  }

  /// A waiting task, identified by reference.
  private final class Visitor: @unchecked Sendable {
    // `@unchecked Sendable` because the gate's condition guards the field.
    var hasLeft = false
  }

  private func wait(as visitor: Visitor) async {
    await withCheckedContinuation { continuation in
      condition.lock()
      let passes = isOpen || visitor.hasLeft
      if !passes { continuations[ObjectIdentifier(visitor)] = continuation }
      condition.unlock()
      if passes { continuation.resume() }
    }
  }

  private func leave(_ visitor: Visitor) {
    condition.lock()
    visitor.hasLeft = true
    let continuation = continuations.removeValue(forKey: ObjectIdentifier(visitor))
    condition.unlock()
    continuation?.resume()
  }
}
