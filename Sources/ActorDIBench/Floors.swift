/// The floors that no container can beat: the shared instance of a global, and plain initialisers.
///
/// No floor is inlined. Each thus costs the call and the retained result that a resolve costs, and the optimiser cannot remove an
/// object that the caller never uses.
enum Floors {
  private static let shared: any Greeter = PoliteGreeter()

  @inline(never)
  static func greeter() -> any Greeter { shared }

  @inline(never)
  static func leaf() -> Leaf { Leaf() }

  @inline(never)
  static func graph() -> GraphRoot {
    GraphRoot(
      first: BranchA(left: LeafA(), right: LeafB()),
      second: BranchB(left: LeafC(), right: LeafD()),
      third: BranchC(left: LeafE(), right: LeafF()))
  }

  @inline(never)
  static func chain() -> Link9 {
    let fifth = Link4(next: Link3(next: Link2(next: Link1(next: Link0()))))
    return Link9(next: Link8(next: Link7(next: Link6(next: Link5(next: fifth)))))
  }

  /// The static-let floor for synchronous scenarios.
  static let staticLet = Contender(
    name: ContenderName.staticLet, role: .floor,
    answer: { greeter().answer(Answers.question) },
    work: .threads { count in
      repeating(count) { consume(greeter()) }
    })

  /// The static-let floor, called from asynchronous code.
  static let staticLetFromTasks = Contender(
    name: ContenderName.staticLet, role: .floor,
    answer: { greeter().answer(Answers.question) },
    work: .tasks { count in
      repeating(count) { consume(greeter()) }
    })

  /// Work that shares nothing, called from asynchronous code. It scales only with the cores that other programs leave free.
  static func arithmeticFromTasks(answer: Int) -> Contender {
    Contender(
      name: ContenderName.arithmetic, role: .probe, answer: { opaque(answer) },
      work: .tasks { count in
        repeating(count) { _ = opaque(count) }
      })
  }
}
