/// A service for the tests of decorators.
protocol Stall: Sendable { var name: String { get } }
final class PlainStall: Stall {
  let name: String
  init(_ name: String = "plain") { self.name = name }
}
final class WrappedStall: Stall {
  let inner: any Stall
  let mark: String
  init(_ inner: any Stall, _ mark: String) {
    self.inner = inner
    self.mark = mark
  }
  var name: String { "\(mark)(\(inner.name))" }
}
