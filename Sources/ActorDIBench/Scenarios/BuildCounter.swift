import Synchronization

/// Builds greeters and counts the builds.
final class BuildCounter: Sendable {
  private let count = Atomic<Int>(0)

  func build() -> any Greeter {
    count.add(1, ordering: .relaxed)
    return PoliteGreeter()
  }

  var builds: Int { count.load(ordering: .acquiring) }
}
