/// The bindings that show another one's instance under their own types.
///
/// They refer to their primary, and it to them; the list is emptied when the primary is removed.
final class ForwardList: Sendable {
  struct Forward: Sendable {
    let binding: Binding
    /// The instance as one of the forward's type.
    let convert: @Sendable (Instance) -> Instance
  }

  private let forwards: Lock<[Forward]>

  init(_ forwards: [Forward]) {
    self.forwards = Lock(forwards)
  }

  var all: [Forward] { forwards.withLock { $0 } }

  func removeAll() -> [Forward] {
    forwards.withLock { forwards in
      let all = forwards
      forwards = []
      return all
    }
  }
}
