// expected: nothing
// A regression: the access modifier stood in front of the attributes.
public import ActorDIMacros

@Unimplemented public protocol Mailer: Sendable {
  @discardableResult func send(_ text: String) -> Int
  @available(*, deprecated) @MainActor var limit: Int? { get set }
  @available(*, deprecated)  // Use the limit.
  subscript(index: Int) -> [String] { get }
  #if compiler(>=6)
    @discardableResult nonisolated func count() -> Int?
  #endif
}

public func send() { UnimplementedMailer { _ in }.send("a") }
