/// The time since its creation, by a clock that may be user code. Read it outside of locks.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  init(by clock: any Clock<Duration>) {
    func reading<Timer: Clock<Duration>>(_ clock: Timer) -> @Sendable () -> Duration {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
    // The compiler specialises the reads of the default clock.
    read = if let clock = clock as? ContinuousClock { reading(clock) } else { reading(clock) }
  }

  var elapsed: Duration { read() }
}
