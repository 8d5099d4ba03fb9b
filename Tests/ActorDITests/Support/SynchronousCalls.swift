import ActorDI

// In a synchronous closure that stands in an asynchronous function, the compiler takes the asynchronous form of an implicit
// `callAsFunction`. In a synchronous function it takes the right one.
extension Lazy {
  func synchronously() throws -> Service { try self() }
}

extension Provider {
  func synchronously() throws -> sending Service { try self() }

  func synchronously<each Argument: Sendable>(
    _ arguments: repeat each Argument
  ) throws -> sending Service {
    try self(repeat each arguments)
  }
}
