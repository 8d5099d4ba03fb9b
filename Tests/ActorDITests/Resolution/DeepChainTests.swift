import ActorDITestSupport
import Testing

@testable import ActorDI

/// Makes a chain of services of one type. Each needs the one with the next key; the last one needs nothing.
private func synchronousChain(_ length: Int, _ scope: Scope) -> Container {
  Container {
    for level in 0..<length {
      Registration(Int.self, scope: scope) { r in
        level + 1 == length ? 1 : try r.resolve(Int.self, key: level + 1) + 1
      }.key(level)
    }
  }
}

private func asynchronousChain(_ length: Int, _ scope: Scope) -> Container {
  Container {
    for level in 0..<length {
      Registration(Int.self, scope: scope) { r in
        level + 1 == length ? 1 : try await r.resolve(Int.self, key: level + 1) + 1
      }.key(level)
    }
  }
}

@Suite("Deep chains", .timeLimit(.minutes(5)))
struct DeepChainTests {
  // The other scopes take the same frames; ten thousand levels of each take seconds in a debug build.
  @Test(arguments: [(Scope.singleton, 10_000), (.transient, 3_000), (.graph, 3_000)])
  func aChainOfThousandsOfAsynchronousFactoriesResolves(scope: Scope, length: Int) async throws {
    let container = asynchronousChain(length, scope)
    #expect(try await container.resolve(Int.self, key: 0) == length)
  }

  // The limit is that of every scope. A transient service looks through all that lead to it, which takes ten seconds in a debug build.
  @Test func aTooLongChainOfAsynchronousFactoriesThrows() async throws {
    let container = asynchronousChain(17_000, .singleton)
    let error = try await asyncResolutionError { try await container.resolve(Int.self, key: 0) }
    #expect(error.code == .tooDeep)
    #expect(error.path.first == "Int[Int(0)]")
    #expect(try await container.resolve(Int.self, key: 16_000) == 1_000)
  }

  @Test(arguments: [Scope.transient, .graph, .singleton])
  func aChainOfSynchronousFactoriesThrowsBeforeTheStackEnds(scope: Scope) async throws {
    // In a release build, a level takes some four hundred bytes of the stack. The C library may reuse a stack four times as large as asked for.
    let container = synchronousChain(20_000, scope)
    let error = try await onThread(stackSize: 1 << 20) {
      try resolutionError { try container.resolve(Int.self, key: 0) }
    }
    #expect(error.code == .tooDeep)
    #expect(error.path.first == "Int[Int(0)]")
    #expect(error.path.count > 50, "A stack of a megabyte holds more")
    // Resolving near the end of the chain still works.
    let sum = try await onThread(stackSize: 1 << 20) {
      try container.resolve(Int.self, key: 19_950)
    }
    #expect(sum == 50)
  }

  @Test func aChainOfSynchronousFactoriesUsesTheWholeStack() async throws {
    let container = synchronousChain(2_000, .transient)
    let sum = try await onThread(stackSize: 64 << 20) { try container.resolve(Int.self, key: 0) }
    #expect(sum == 2_000)
  }

  @Test func aLongAsynchronousChainCanEndInSynchronousFactories() async throws {
    let container = Container {
      for level in 0..<2_000 {
        Registration(Int.self, scope: .singleton) { r in
          try await r.resolve(Int.self, key: level + 1) + 1
        }.key(level)
      }
      Registration(Int.self) { r in try r.resolve(Int.self, key: "end") }.key(2_000)
      Registration(Int.self) { _ in 7 }.key("end")
    }
    #expect(try await container.resolve(Int.self, key: 0) == 2_007)
  }
}

@Suite("Recursion with run-time arguments", .timeLimit(.minutes(5)))
struct RecursionTests {
  @Test(arguments: [Scope.transient])
  func aRecursionThatEndsIsNoCycle(scope: Scope) async throws {
    let container = Container {
      Registration(Int.self, scope: scope) { (r: Resolver, depth: Int) in
        if depth == 0 { return 1 }
        return try r.resolve(Int.self, arguments: depth - 1)
          + r.resolve(Int.self, arguments: depth - 1)
      }
      Registration(Int.self, scope: scope) { (r: Resolver, depth: UInt) in
        if depth == 0 { return 1 }
        return try await r.resolve(Int.self, arguments: depth - 1)
          + r.resolve(Int.self, arguments: depth - 1)
      }
    }
    #expect(try sync { try container.resolve(Int.self, arguments: 6) } == 64)
    #expect(try await container.resolve(Int.self, arguments: 6) == 64)
    #expect(try await container.resolve(Int.self, arguments: UInt(6)) == 64)
  }

  @Test func anEndlessRecursionThrows() async throws {
    let container = Container {
      Registration(Int.self) { (r: Resolver, depth: Int) in
        try r.resolve(Int.self, arguments: depth + 1)
      }
      Registration(Int.self) { (r: Resolver, depth: UInt) in
        try await r.resolve(Int.self, arguments: depth + 1)
      }
      Setting(number: 1)
    }
    let error = try await onThread(stackSize: 1 << 20) {
      try resolutionError { try container.resolve(Int.self, arguments: 0) }
    }
    #expect(error.code == .cycle)
    let asyncError = try await asyncResolutionError {
      try await container.resolve(Int.self, arguments: UInt(0))
    }
    #expect(asyncError.code == .cycle)
    #expect(try await container.resolve(Setting.self).number == 1)
  }

  @Test func aRecursionOfAKeptServiceIsACycle() async throws {
    // A singleton has one instance for all values of its arguments, so it cannot depend on itself.
    let container = Container {
      Registration(Int.self, scope: .singleton) { (r: Resolver, depth: Int) in
        try r.resolve(Int.self, arguments: depth - 1)
      }
      Registration(Int.self, scope: .singleton) { (r: Resolver, depth: UInt) in
        try await r.resolve(Int.self, arguments: depth - 1)
      }
    }
    let error = try sync { try resolutionError { try container.resolve(Int.self, arguments: 5) } }
    #expect((error.code, error.path) == (.cycle, ["Int(Int)", "Int(Int)"]))
    let asyncError = try await asyncResolutionError {
      try await container.resolve(Int.self, arguments: UInt(5))
    }
    #expect((asyncError.code, asyncError.path) == (.cycle, ["Int(UInt)", "Int(UInt)"]))
  }
}
