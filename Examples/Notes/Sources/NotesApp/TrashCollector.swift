import ActorDI
import Foundation
import Logging
import ServiceLifecycle

/// The time and its passing, so that tests can set both.
struct TimeSource: Sendable {
  var now: @Sendable () -> Date = { Date() }
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}

/// The background job: removes the notes that were deleted long ago.
struct TrashCollector: Service {
  let app: Container
  let settings: Settings
  let time: TimeSource
  let logger: Logger

  func run() async throws {
    while true {
      do {
        // A shutdown ends the pause, but not the round.
        try await cancelWhenGracefulShutdown { try await time.sleep(.seconds(settings.trashInterval)) }
      } catch is CancellationError {
        return
      }
      await collect()
    }
  }

  /// Does one round in a scope of its own, which commits or rolls back like that of a request.
  func collect() async {
    do {
      let limit = time.now() - TimeInterval(settings.trashLifetime)
      let count = try await app.withScope("request") { scope in
        try await scope.resolve(NoteStore.self).removeTrash(before: limit)
      }
      logger.info("removed the trash", metadata: ["notes": "\(count)"])
    } catch {
      // The next round tries again.
      logger.error("the trash was not removed: \(error)")
    }
  }
}
