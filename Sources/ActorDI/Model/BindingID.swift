/// The identity of a binding, for comparison only: the binding may have been freed.
struct BindingID: Hashable, Sendable {
  let address: UInt

  init(at address: UInt) { self.address = address }
}
