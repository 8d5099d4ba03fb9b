import ActorDI

/// P25: values of few and of many words. A value that does not fit into the registers of a call must not cost much more than one that
/// does.
struct ValueSizes: Scenario {
  static let name = "value-sizes"
  static let summary = "values of 1 to 40 words: made, taken as a parameter, and registered in a scope"

  /// The ways to obtain a value.
  enum Way: String, CaseIterable, Sendable {
    case made = "transient"
    case parameter = "parameter"
    case instance = "instance of a scope"
  }

  enum Call: String, CaseIterable, Sendable {
    case synchronous = "sync"
    case awaited = "await"
  }

  /// The words of the values, up to the last size that a call returns in registers and beyond it.
  static let smallSizes = [1, 6]
  static let largeSizes = [7, 40]

  /// The bytes of the values.
  static let sizes = [
    MemoryLayout<OneWord>.size, MemoryLayout<SixWords>.size, MemoryLayout<SevenWords>.size,
    MemoryLayout<FortyWords>.size,
  ]

  static func contender(_ way: Way, _ call: Call, words: Int) -> String {
    "\(way.rawValue), \(call.rawValue), \(Format.count(words, "word"))"
  }

  let lanes = Lanes.tasks([1])
  let expectedAnswer = 1

  func contenders() -> [Contender] {
    let container = Container {
      Registration(OneWord.self) { _ in OneWord(1) }
      Registration(SixWords.self) { _ in SixWords(1) }
      Registration(SevenWords.self) { _ in SevenWords(1) }
      Registration(FortyWords.self) { _ in FortyWords(1) }
      Registration(autowired: Taker<OneWord>.self, initializer: Taker<OneWord>.init)
      Registration(autowired: Taker<SixWords>.self, initializer: Taker<SixWords>.init)
      Registration(autowired: Taker<SevenWords>.self, initializer: Taker<SevenWords>.init)
      Registration(autowired: Taker<FortyWords>.self, initializer: Taker<FortyWords>.init)
    }
    return contenders(OneWord.self, words: 1, container) + contenders(SixWords.self, words: 6, container)
      + contenders(SevenWords.self, words: 7, container) + contenders(FortyWords.self, words: 40, container)
  }

  /// The contenders of one size. Inlined, so that the loops know the type of the value, as a program's own code does.
  @inline(__always)
  private func contenders<Value: Words>(_ type: Value.Type, words: Int, _ container: Container) -> [Contender] {
    [
      Contender(
        name: Self.contender(.made, .synchronous, words: words), role: .container,
        answer: { try Form.synchronously { try container.resolve(type).last } },
        work: .tasks { count in
          try repeating(count) { _ = opaque(try container.resolve(type).last) }
        }),
      Contender(
        name: Self.contender(.made, .awaited, words: words), role: .container,
        answer: { try await container.resolve(type).last },
        work: .tasks { count in
          for _ in 0..<count { _ = opaque(try await container.resolve(type).last) }
        }),
      Contender(
        name: Self.contender(.parameter, .synchronous, words: words), role: .container,
        answer: { try Form.synchronously { try container.resolve(Taker<Value>.self).last } },
        work: .tasks { count in
          try repeating(count) { _ = opaque(try container.resolve(Taker<Value>.self).last) }
        }),
      Contender(
        name: Self.contender(.parameter, .awaited, words: words), role: .container,
        answer: { try await container.resolve(Taker<Value>.self).last },
        work: .tasks { count in
          for _ in 0..<count { _ = opaque(try await container.resolve(Taker<Value>.self).last) }
        }),
      Contender(
        name: Self.contender(.instance, .synchronous, words: words), role: .container,
        answer: { try await Self.withInstance(type, in: container) { scope in try scope.resolve(type).last } },
        work: .tasks { count in
          try await Self.withInstance(type, in: container) { scope in
            try repeating(count) { _ = opaque(try scope.resolve(type).last) }
          }
        }),
      Contender(
        name: Self.contender(.instance, .awaited, words: words), role: .container,
        answer: { try await Self.withInstance(type, in: container) { try await $0.resolve(type).last } },
        work: .tasks { count in
          try await Self.withInstance(type, in: container) { scope in
            for _ in 0..<count { _ = opaque(try await scope.resolve(type).last) }
          }
        }),
    ]
  }

  @inline(__always)
  private nonisolated(nonsending) static func withInstance<Value: Words, Result>(
    _ type: Value.Type, in container: Container, _ body: nonisolated(nonsending) (Container) async throws -> Result
  ) async throws -> Result {
    try await container.withScope {
      Registration(instance: type.init(1))
    } operation: {
      try await body($0)
    }
  }
}

// MARK: - The values, in the same file as their factories: see Chain.swift

private protocol Words: Sendable {
  init(_ last: Int)
  var last: Int { get }
}

private struct OneWord: Words {
  let last: Int
  init(_ last: Int) { self.last = opaque(last) }
}

private struct SixWords: Words {
  let words = (1, 2, 3, 4, 5)
  let last: Int
  init(_ last: Int) { self.last = opaque(last) }
}

private struct SevenWords: Words {
  let words = (1, 2, 3, 4, 5, 6)
  let last: Int
  init(_ last: Int) { self.last = opaque(last) }
}

private struct FortyWords: Words {
  private struct Thirteen {
    let words = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
  }

  private let first = Thirteen()
  private let second = Thirteen()
  private let third = Thirteen()
  let last: Int
  init(_ last: Int) { self.last = opaque(last) }
}

/// An object that takes a value and keeps a word of it, so that objects of all values are of one size.
private final class Taker<Value: Words>: Sendable {
  let last: Int
  init(value: Value) { last = value.last }
}
