// expected: error: parameter 'text' is an autoclosure, and a container has no expression to pass: take the value, or mark it '@UseDefault'
import ActorDIMacros

@Injectable final class Log: Sendable {
  init(text: @autoclosure () -> String) {}
}
