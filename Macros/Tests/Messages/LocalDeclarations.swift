// A regression: nothing was found of what the macros add, without a word of theirs.
// expected: error: 'send' is a local function, beside which Swift finds no overload of a macro: move it out of the one around it
// expected: error: 'Mailer' is local to a function, where Swift finds no double of a macro: move it out of the function
import ActorDIMacros

struct Store: Sendable {}

func work() {
  @InjectedParameters func send(store: Store) {}
  @Unimplemented protocol Mailer {}
  struct Local {
    @InjectedParameters func send(store: Store) {}
  }
}
