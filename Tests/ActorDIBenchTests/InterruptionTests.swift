#if canImport(Glibc)
  import Glibc
  import Testing

  @testable import ActorDIBench

  @Suite("The process", .enabled(if: BenchProcess.canStart))
  struct InterruptionTests {
    /// The options for one short scenario and for one that takes seconds.
    static let arguments = [
      "--quick", "--filter", "scopes", "--filter", "with-resolved", "--threads", "1,2,3,4,5,6,7,8",
    ]

    /// Runs a closure on a new thread, which may block.
    static func apart<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
      try await withCheckedThrowingContinuation { continuation in
        let thread = SystemThread { continuation.resume(with: Result { try body() }) }
        if thread == nil { continuation.resume(throwing: BenchProcess.Failure(reason: "no thread")) }
      }
    }

    @Test("^C ends it with what was measured so far, and says what is missing")
    func interrupt() async throws {
      let (said, output, status) = try await Self.apart {
        let process = try BenchProcess(Self.arguments + ["--filter", "observation", "--format", "markdown"])
        try process.wait(for: "with-resolved: repeat 2 of")
        process.send(SIGINT)
        let (output, status) = process.end()
        return (process.said, output, status)
      }
      #expect(status == 130 << 8)
      #expect(output.contains("**INTERRUPTED; of with-resolved there "))
      #expect(output.contains("not measured: observation.**"))
      #expect(output.contains("## scopes") && output.contains("## with-resolved") && !output.contains("## observation"))
      #expect(output.contains("## How it was measured"))
      // The pipe gets no control sequences, and the terminal's line is cleared at the end.
      #expect(!output.contains("\u{1B}"))
      #expect(said.contains("1/3  0:0"))
      #expect(said.contains("\r\u{1B}[KActorDIBench: INTERRUPTED"))
    }

    @Test("SIGTERM during a check leaves a whole report in which nothing unmeasured is met")
    func terminateCheck() async throws {
      let folder = try TemporaryFolder()
      let path = folder.path + "/report.json"
      let (output, status) = try await Self.apart {
        let process = try BenchProcess(["--check", "--filter", "P6", "--format", "json", "--output", path])
        try process.wait(for: "with-resolved: calibrating")
        process.send(SIGTERM)
        return process.end()
      }
      #expect(status == 143 << 8)
      #expect(output.isEmpty)
      #expect(folder.names == ["report.json"])
      let report = try JSONParser.value(SystemText.required(path))
      #expect(report["interrupted"] == .bool(true))
      #expect(report["missing"] == .array([.string("with-resolved")]))
      let verdicts = report["check"]?.asArray?.map { $0["verdict"] }
      #expect(verdicts?.isEmpty == false)
      #expect(verdicts?.allSatisfy { $0 == .string("not measured: interrupted") } == true)
    }

    @Test("A second ^C ends it at once, even in the midst of a report that is never through")
    func second() async throws {
      let status = try await Self.apart {
        let process = try BenchProcess(Self.arguments, isBlocked: true)
        try process.wait(for: "scopes: ")
        while true {
          process.send(SIGINT)
          sched_yield()
          if let status = process.wait(WNOHANG) { return status }
        }
      }
      // The signal itself ended the process.
      #expect(status & 0x7F == SIGINT)
    }

    @Test(
      "Bad input ends it before anything is measured",
      arguments: [
        (["--svgs"], 64, "unknown option '--svgs' (did you mean --svg?)"),
        (["--compare", "/no/such/file"], 66, "cannot compare with '/no/such/file': No such file or directory"),
        (["--svg", "/dev/null/plots"], 64, "cannot write plots into '/dev/null/plots': Not a directory"),
        (["--output", "/no/such/folder/x"], 64, "cannot write '/no/such/folder/x': No such file or directory"),
        (["--output", "/"], 64, "cannot write '/': Is a directory"),
      ] as [([String], Int32, String)])
    func badInput(arguments: [String], code: Int32, message: String) async throws {
      let (said, output, status) = try await Self.apart {
        let process = try BenchProcess(arguments)
        let (output, status) = process.end()
        return (process.said, output, status)
      }
      #expect(status == code << 8)
      #expect(said.contains("ActorDIBench: \(message)"))
      #expect(output.isEmpty)
    }
  }
#endif
