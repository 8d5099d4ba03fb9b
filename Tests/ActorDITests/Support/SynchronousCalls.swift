package import ActorDI

// In a synchronous closure within an asynchronous function, the compiler chooses the asynchronous overload of an implicit
// `callAsFunction`. In a synchronous function, it chooses the synchronous one.
extension Lazy {
  package func synchronously() throws -> Service { try self() }
}

extension Provider {
  package func synchronously() throws -> sending Service { try self() }

  package func synchronously<each Argument: Sendable>(
    _ arguments: repeat each Argument
  ) throws -> sending Service {
    try self(repeat each arguments)
  }
}
