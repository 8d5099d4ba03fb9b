/// A service for the tests of decorators.
package protocol Stall: Sendable { var name: String { get } }
package final class PlainStall: Stall {
  package let name: String
  package init(_ name: String = "plain") { self.name = name }
}
package final class WrappedStall: Stall {
  package let inner: any Stall
  package let mark: String
  package init(_ inner: any Stall, _ mark: String) {
    self.inner = inner
    self.mark = mark
  }
  package var name: String { "\(mark)(\(inner.name))" }
}
