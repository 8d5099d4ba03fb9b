/// The command lines that repeat a report, or a part of it.
struct Repetition: Equatable, Sendable {
  /// The options of the run that affect figures.
  private let settings: String

  init(_ options: Options = Options(threads: []), cores: Int = 0) {
    var settings: [String] = []
    if options.isQuick { settings.append("--quick") }
    if !options.threads.isEmpty, options.threads != Options.defaultThreads(cores: cores) {
      settings.append("--threads \(options.threads.map(String.init).joined(separator: ","))")
    }
    self.settings = settings.map { " \($0)" }.joined()
  }

  func command(scenario: String) -> String { "\(Self.program)\(settings) --filter \(scenario)" }
  func command(row: String) -> String { "\(Self.program)\(settings) --check --filter \(row)" }

  /// The command line of the run itself, regardless of the executable's location.
  static func command(_ commandLine: [String]) -> String {
    ([program] + commandLine.dropFirst().map(quoted)).joined(separator: " ")
  }

  private static let program = "swift run -c release ActorDIBench"

  /// The word, quoted for a shell if necessary.
  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_=.,/+:".contains($0)) }
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
