// expected: error: parameter 'text' is an autoclosure, and a container has no expression to pass: take the value, or make it '@escaping' and mark it '@UseDefault'
// expected: error: parameter 'other' is an autoclosure, and a container has no expression to pass: take the value, or mark it '@UseDefault'
import ActorDIMacros

@Injectable final class Log: Sendable {
  init(text: @autoclosure () -> String, other: @escaping @autoclosure () -> String) {}
}

// A regression: as the message says, but without '@escaping', this was an error of the compiler's.
@Injectable final class Journal: Sendable {
  init(@UseDefault text: @escaping @autoclosure () -> String = "") {}
}
