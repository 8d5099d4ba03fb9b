#if canImport(Glibc)
  import Glibc

  @testable import ActorDIBench

  /// The benchmark in a process of its own, with a terminal as its standard error and a pipe as its standard output.
  final class BenchProcess {
    /// The path of the executable, which the build places beside the tests.
    static let executable: String? = {
      let tests = FileSystem.resolved("/proc/self/exe").split(separator: "/").dropLast()
      let path = "/" + tests.joined(separator: "/") + "/ActorDIBench"
      return FileSystem.kind(of: path) == .file ? path : nil
    }()

    /// Whether the process can be started. Some build containers have no terminals.
    static let canStart = executable != nil && FileSystem.kind(of: "/dev/ptmx") == .other

    struct Failure: Error {
      let reason: String
    }

    /// The values of `TIOCSPTLCK` and `TIOCGPTN`, whose macros Swift cannot import.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    let pid: pid_t
    /// The pipe for the standard output. Its writing end stays open only if the output is not to be read.
    private let output: (read: Int32, write: Int32)
    private let terminal: Int32
    /// The text that the process has written to the terminal so far.
    private(set) var said = ""
    private var hasEnded = false

    /// Starts the benchmark.
    ///
    /// - Parameters:
    ///   - arguments: The command-line arguments.
    ///   - isBlocked: Whether the pipe is full from the start, so that writing a report never ends.
    init(_ arguments: [String], isBlocked: Bool = false) throws {
      guard let executable = Self.executable else { throw Failure(reason: "no executable") }
      // Opens the terminal by hand, since the module does not include the header that declares `openpty`.
      terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var number: UInt32 = 0
      var lock: Int32 = 0
      guard
        unsafe terminal >= 0 && ioctl(terminal, Self.unlock, &lock) == 0
          && ioctl(terminal, Self.getNumber, &number) == 0
      else { throw Failure(reason: "no terminal") }
      var size = winsize(ws_row: 25, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
      _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
      let slave = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      var ends: [Int32] = [0, 0]
      guard unsafe pipe(&ends) == 0 else { throw Failure(reason: "no pipe") }
      output = (ends[0], ends[1])
      for one in [terminal, ends[0], ends[1]] { _ = fcntl(one, F_SETFD, FD_CLOEXEC) }
      if isBlocked {
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while unsafe write(ends[1], bytes, bytes.count) > 0 {}
        _ = fcntl(ends[1], F_SETFL, 0)
      }
      pid = try Self.spawn(executable, arguments, output: ends[1], error: slave)
      close(slave)
      if !isBlocked { close(ends[1]) }
    }

    /// Starts the process with the signal handling that a shell gives a foreground program, whatever this process uses.
    private static func spawn(
      _ executable: String, _ arguments: [String], output: Int32, error: Int32
    ) throws -> pid_t {
      var actions = unsafe posix_spawn_file_actions_t()
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      unsafe posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
      var attributes = posix_spawnattr_t()
      unsafe posix_spawnattr_init(&attributes)
      defer { unsafe posix_spawnattr_destroy(&attributes) }
      var signals = sigset_t()
      unsafe sigfillset(&signals)
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      unsafe sigemptyset(&signals)
      unsafe posix_spawnattr_setsigmask(&attributes, &signals)
      unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
      var words = unsafe Self.copies([executable] + arguments)
      var environment = unsafe Self.copies(["TERM=xterm", "PATH=/usr/bin:/bin"])
      defer {
        var all = unsafe words + environment
        while let word = unsafe all.popLast() { unsafe free(word) }
      }
      var pid: pid_t = 0
      let code = unsafe posix_spawn(&pid, executable, &actions, &attributes, &words, &environment)
      guard code == 0 else { throw Failure(reason: "not started: \(Output.Failure(code: code))") }
      return pid
    }

    /// Copies strings into a null-terminated array of C strings on the heap.
    private static func copies(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
      unsafe words.map { (word: String) in unsafe strdup(word) } + [nil]
    }

    /// Reads the terminal until the process has written a text.
    func wait(for text: String) throws {
      while !said.contains(text) {
        guard let more = Self.read(terminal) else { throw Failure(reason: "ended without '\(text)': \(said)") }
        said += more
      }
    }

    func send(_ signal: Int32) { _ = kill(pid, signal) }

    /// Reads both streams to their ends.
    ///
    /// - Returns: The standard output and the exit status.
    func end() -> (output: String, status: Int32) {
      while let more = Self.read(terminal) { said += more }
      var text = ""
      while let more = Self.read(output.read) { text += more }
      return (text, wait(0) ?? -1)
    }

    /// Waits for the process.
    ///
    /// - Returns: The status as `waitpid` reports it; nil if the process has not ended.
    func wait(_ options: Int32) -> Int32? {
      var status: Int32 = 0
      guard unsafe waitpid(pid, &status, options) == pid else { return nil }
      hasEnded = true
      return status
    }

    deinit {
      // For example, if a test has stopped waiting.
      if !hasEnded {
        send(SIGKILL)
        _ = wait(0)
      }
      close(terminal)
      close(output.read)
    }

    /// Reads from a descriptor.
    ///
    /// - Returns: The text; nil at the end, which a terminal reports as an error.
    private static func read(_ descriptor: Int32) -> String? {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
      return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
  }
#endif
