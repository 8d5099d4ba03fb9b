import ActorDI

/// P20: the system calls of scopes, which are too slow for a request, and the waits for other threads.
struct SystemCalls: Scenario {
  static let name = "system-calls"
  static let summary = "system calls through syscall(2), such as membarrier, and waits, per scope"

  static let plainRequest = "plain construction, a request's objects"
  static let withScope = "withScope, one scoped object and its disposal"
  static let request = "request with its scope and disposal"

  let unit = MeasuredUnit.systemCalls
  let lanes = Lanes.single
  let fixedIterations: Int? = 2_000
  /// Each contender answers 1 if its service gave the right answer.
  let expectedAnswer = 1

  var obstacle: String? { SystemCallCount.obstacle }

  func contenders() throws -> [Contender] {
    let app = try Requests.container()
    let singletons = try Requests.Singletons(of: app)
    let scopes = Scopes.container()
    return [
      Self.contender(Self.plainRequest, .floor) {
        Requests.byHand(singletons) == Request.answer
      },
      Self.contender(Self.withScope, .container) {
        try await scopes.withScope { scope in try await scope.resolve(Leaf.self).weight == Answers.leaf }
      },
      Self.contender(Self.request, .container) {
        try await Requests.handle(in: app) == Request.answer
      },
    ]
  }

  private static func contender(
    _ name: String, _ role: Contender.Role, _ operation: @escaping @Sendable () async throws -> Bool
  ) -> Contender {
    Contender(
      name: name, role: role, answer: { try await operation() ? 1 : 0 },
      // In a task of its own: on the main actor, each call would change threads.
      work: .own { load in
        try await Task.detached {
          try await SystemCallCount.ofProcess(operations: load.iterations) { count in
            for _ in 0..<count {
              guard try await operation() else {
                throw BenchmarkError.wrongAnswer(scenario: Self.name, contender: name, answer: 0, expected: 1)
              }
            }
          }
        }.value
      })
  }
}
