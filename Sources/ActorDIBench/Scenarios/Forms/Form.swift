/// One of the forms in which ordinary programs use the container.
///
/// No form returns a kept instance, whose reference count all callers share, with or without a container. So each form can run on all
/// cores without waiting.
struct Form: Sendable {
  /// The forms that a check reports together.
  enum Kind: String, CaseIterable, Sendable {
    case transients = "transients"
    case dependencies = "dependencies"
    case lookups = "values, lookups and errors"
    case awaits = "asynchronous resolves"
    case scopes = "scopes"
  }

  let name: String
  let kind: Kind
  /// Runs the form once, and returns whether it gave the right result.
  let isRight: @Sendable (FormWorld) async throws -> Bool
  /// Runs the form the given number of times.
  let run: @Sendable (FormWorld, _ count: Int) async throws -> Void

  init(
    _ name: String, _ kind: Kind, isRight: @escaping @Sendable (FormWorld) async throws -> Bool,
    run: @escaping @Sendable (FormWorld, _ count: Int) async throws -> Void
  ) {
    self.name = name
    self.kind = kind
    self.isRight = isRight
    self.run = run
  }

  static let all: [Form] = synchronous + asynchronous

  static func all(of kind: Kind) -> [Form] { all.filter { $0.kind == kind } }

  // The consumers of the objects that forms return; see Consumer.swift.

  @inline(never) @_optimize(none)
  static func consume(_ object: borrowing AnyObject) {}

  @inline(never) @_optimize(none)
  static func consume(_ shape: borrowing any FormWorld.Shape) {}

  /// Runs a body that calls the container's synchronous functions, from a function that is asynchronous.
  static func synchronously<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
