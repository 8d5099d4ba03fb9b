// expected: nothing
import ActorDIMacros

private struct Message: Sendable {}

@Unimplemented private protocol Mailer: Sendable {
  func send(_ message: Message) throws -> Message?
}

private func make() -> any Mailer { UnimplementedMailer { _ in } }
