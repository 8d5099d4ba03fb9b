// expected: nothing
// A regression: the compiler gave up on a type with six tokens: "unable to type-check this expression in reasonable time".
import ActorDIMacros

struct Part1: Sendable {}
struct Part2: Sendable {}
struct Part3: Sendable {}
struct Part4: Sendable {}
struct Part5: Sendable {}
struct Part6: Sendable {}
struct Part7: Sendable {}
struct Part8: Sendable {}

extension ServiceKey where Service == Part1 { static var main: Self { Self("main") } }
extension ServiceKey where Service == Part2 { static var main: Self { Self("main") } }
extension ServiceKey where Service == Part3 { static var main: Self { Self("main") } }
extension ServiceKey where Service == Part4 { static var main: Self { Self("main") } }
extension ServiceKey where Service == Part5 { static var main: Self { Self("main") } }
extension ServiceKey where Service == Part6 { static var main: Self { Self("main") } }
extension ServiceKey where Service == Part7 { static var main: Self { Self("main") } }
extension ServiceKey where Service == Part8 { static var main: Self { Self("main") } }

@Injectable struct Whole: Sendable {
  init(
    @Key(.main) part1: Part1, @Key(.main) part2: Part2, @Key(.main) part3: Part3, @Key(.main) part4: Part4,
    @Key(.main) part5: Part5, @Key(.main) part6: Part6, @Key(.main) part7: Part7, @Key(.main) part8: Part8
  ) {}
}

// The marker of a property does not see its type, so a token whose name several services have needs its own.
@Injectable struct Parts: Sendable {
  @Key(ServiceKey<Part1>.main) let part1: Part1
  @Key(ServiceKey<Part2>.main) let part2: Part2
  @Key(ServiceKey<Part3>.main) let part3: Part3
  @Key(ServiceKey<Part4>.main) let part4: Part4
  @Key(ServiceKey<Part5>.main) let part5: Part5
  @Key(ServiceKey<Part6>.main) let part6: Part6
  @Key(ServiceKey<Part7>.main) let part7: Part7
  @Key(ServiceKey<Part8>.main) let part8: Part8
}

@Graph struct AppGraph {
  @Provides func whole(
    @Key(.main) part1: Part1, @Key(.main) part2: Part2, @Key(.main) part3: Part3, @Key(.main) part4: Part4,
    @Key(.main) part5: Part5, @Key(.main) part6: Part6, @Key(.main) part7: Part7, @Key(.main) part8: Part8
  ) -> Int { 8 }
}

@InjectedParameters func join(
  @Key(.main) part1: Part1, @Key(.main) part2: Part2, @Key(.main) part3: Part3, @Key(.main) part4: Part4,
  @Key(.main) part5: Part5, @Key(.main) part6: Part6, @Key(.main) part7: Part7, @Key(.main) part8: Part8
) {}
