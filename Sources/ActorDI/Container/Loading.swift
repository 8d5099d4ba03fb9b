/// The task that runs the modules of a container's initial registrations.
final class Loading: Sendable {
  let task: Task<Void, any Error>
  init(_ task: Task<Void, any Error>) { self.task = task }
}
