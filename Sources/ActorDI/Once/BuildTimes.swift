/// The end and the duration of the build that made an instance.
struct BuildTimes: Sendable {
  let end: Moment
  let duration: Duration
}
