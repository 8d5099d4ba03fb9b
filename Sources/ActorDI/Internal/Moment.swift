/// A time by the continuous clock.
///
/// In place of `ContinuousClock.Instant`, whose size is unknown at compile time: the runtime's functions would copy each structure that
/// contains one.
struct Moment: Sendable {
  private let sinceOrigin: Duration

  private static let origin = ContinuousClock.now

  static var now: Moment { Moment(sinceOrigin: origin.duration(to: .now)) }

  func duration(to later: Moment) -> Duration { later.sinceOrigin - sinceOrigin }

  var instant: ContinuousClock.Instant { Self.origin.advanced(by: sinceOrigin) }
}
