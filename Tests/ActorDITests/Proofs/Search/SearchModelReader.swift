extension SearchModel {
  /// Takes one step of a reader.
  func read(_ steps: [Step], _ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    let reader = reader(thread)
    let step = steps[Int(me.next)]
    switch me.at {
    case .begin:
      if case .await(let writer) = step {
        guard state.returned & Self.bit(writer) != 0 else { return move.block() }
        state.memory.hand(from: writer, to: thread)
        if case .writer(let change) = threads[writer] { me.gone |= gone(after: change) }
        move.notify("waits for the change to return")
        goOn(steps, &me)
      } else if lacks(.nothingCopied), me.copied != 0 {
        (me.binding, me.at) = (me.copied, .instance)
        pin(reader, thread, &state, &move)
      } else {
        pin(reader, thread, &state, &move)
        me.at = .links
      }
    case .links:
      let ordering: WeakMemory.Ordering = lacks(.linkAcquire) ? .relaxed : .acquiring
      let found = state.memory.load(Self.linkArray, ordering, by: thread, &move)
      move.notify(found == 0 ? "finds no links" : "finds the link array")
      me.links = UInt8(found)
      if found != 0 {
        touch(found, thread, &state, &move)
        if lacks(.linksPin) { unpin(reader, thread, &state, &move) }
        me.at = .linked
      } else {
        if lacks(.parentPin) { unpin(reader, thread, &state, &move) }
        me.at = .parent
      }
    case .linked:
      touch(Object.linked, thread, &state, &move)
      let ordering: WeakMemory.Ordering = lacks(.snapshotAcquire) ? .relaxed : .sequentiallyConsistent
      let found = state.memory.load(Self.linkedSnapshot, ordering, by: thread, &move)
      if found == Self.closed {
        // P3
        move.notify("finds the linked container closed")
        me.at = .unpin
      } else {
        touch(found, thread, &state, &move)
        move.notify("finds the binding in the linked container")
        (me.binding, me.at) = (UInt8(Object.linkedBinding), .instance)
      }
    case .parent:
      searchParent(&me, thread, &state, &move)
    case .instance:
      touch(Int(me.binding), thread, &state, &move)
      if me.gone & Self.bit(Int(me.binding)) != 0 {
        move.complain("\(Object.name(Int(me.binding))) is found after the change that removed it has returned")
      }
      loadInstance(&me, thread, &state, &move)
      me.at = nextAfterFinding(step, me)
      if me.at == .unpin, step == .hit, me.instance != 0 { touch(Int(me.instance), thread, &state, &move) }
      if lacks(.slotsBeforeUnpin), me.at == .push { me.at = .unpin }
    case .push, .pushAgain:
      push(step, &me, thread, &state, &move)
      me.at = hasAnother(step, me) ? .pushAgain : lacks(.slotsBeforeUnpin) ? .use : .unpin
    case .unpin:
      // A weakened search may have unpinned too early; it does not unpin twice.
      let hasEnded = me.links == 0 ? lacks(.parentPin) : lacks(.linksPin)
      if !hasEnded { unpin(reader, thread, &state, &move) }
      let next = nextAfterFinding(step, me)
      me.at = me.binding == 0 || next == .unpin ? .pop : lacks(.slotsBeforeUnpin) ? .push : .use
      if me.at == .pop { goOn(steps, &me) }
    case .use:
      move.notify("uses the found objects beyond the pin")
      if step == .borrow {
        touch(Int(me.instance), thread, &state, &move)
      } else {
        touch(Int(me.binding), thread, &state, &move)
        if me.links != 0 { touch(Object.linked, thread, &state, &move) }
      }
      me.at = .pop
    default:
      state.memory.store(depth(reader), 0, .releasing, by: thread)
      move.notify("pops its hazard slots")
      goOn(steps, &me)
    }
    state.frames[thread] = me
  }

  private func goOn(_ steps: [Step], _ me: inout Frame) {
    me = Frame(at: .begin, next: me.next + 1, gone: me.gone, copied: me.copied)
    if me.next == steps.count { me = Frame(at: .done) }
  }

  private func pin(_ reader: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.store(pins(reader), 1, .relaxed, by: thread)
    if isFenced { state.memory.fence(by: thread) }
    move.notify("pins")
  }

  private func unpin(_ reader: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.store(pins(reader), 0, .releasing, by: thread)
    move.notify("unpins")
  }

  private func searchParent(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let ordering: WeakMemory.Ordering = lacks(.snapshotAcquire) ? .relaxed : .sequentiallyConsistent
    let found = state.memory.load(Self.parentSnapshot, ordering, by: thread, &move)
    me.at = .unpin
    switch found {
    case Self.closed: return move.notify("finds the parent closed")
    case Object.oldSnapshot: me.binding = UInt8(Object.binding)
    default: me.binding = threads.contains(.writer(.register)) ? UInt8(Object.newBinding) : 0
    }
    touch(found, thread, &state, &move)
    move.notify(me.binding == 0 ? "finds nothing in the parent" : "finds \(Object.name(Int(me.binding)))")
    if me.binding != 0 { me.at = .instance }
    me.copied = me.binding
  }

  private func loadInstance(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    switch Int(me.binding) {
    case Object.binding:
      me.instance = UInt8(state.memory.load(Self.parentInstance, .acquiring, by: thread, &move))
    case Object.linkedBinding:
      me.instance = UInt8(state.memory.load(Self.linkedInstance, .acquiring, by: thread, &move))
    default: break
    }
    move.notify(me.instance == 0 ? "finds no instance" : "finds \(Object.name(Int(me.instance)))")
  }

  /// The step after a binding was found. A use beyond the pin pushes hazard slots first.
  private func nextAfterFinding(_ step: Step, _ me: Frame) -> Point {
    switch step {
    case .borrow where me.instance != 0, .build: .push
    default: .unpin
    }
  }

  private func hasAnother(_ step: Step, _ me: Frame) -> Bool {
    me.slots == 1 && me.links != 0 && !lacks(.linksSlot)
  }

  private func push(_ step: Step, _ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let reader = reader(thread)
    let own = step == .borrow ? me.instance : me.binding
    let object = me.slots == 0 ? own : me.links
    if lacks(.bindingSlot), step == .build, me.slots == 0 {
      me.slots = 1
      return move.notify("pushes nothing")
    }
    state.memory.store(slot(Int(me.slots), reader), Int(object), .releasing, by: thread)
    state.memory.store(depth(reader), Int(me.slots) + 1, .releasing, by: thread)
    move.notify("pushes \(Object.name(Int(object))) into a hazard slot")
    me.slots += 1
  }

  /// The objects that a search must not find if it begins after the change has returned.
  private func gone(after change: Change) -> UInt16 {
    switch change {
    case .register, .unregister, .closeParent: Self.bit(Object.binding)
    case .unlink, .closeLinked: Self.bit(Object.linkedBinding)
    // A link takes precedence over the parent.
    case .link: Self.bit(Object.binding) | Self.bit(Object.newBinding)
    }
  }
}
