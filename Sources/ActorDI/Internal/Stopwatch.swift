/// The time since its creation, by a clock that may be user code. Read it outside of locks.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  init(by clock: any Clock<Duration>) {
    func reading<Timer: Clock<Duration>>(_ clock: Timer) -> @Sendable () -> Duration {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
    read = reading(clock)
  }

  var elapsed: Duration { read() }
}
