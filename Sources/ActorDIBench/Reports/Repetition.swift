/// The command lines that repeat a report, or parts of it.
struct Repetition: Equatable, Sendable {
  /// What the run had set that changes figures.
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

  /// The command line of the run itself, whatever the executable's place.
  static func command(_ commandLine: [String]) -> String {
    ([program] + commandLine.dropFirst().map(quoted)).joined(separator: " ")
  }

  private static let program = "swift run -c release ActorDIBench"

  /// As a shell takes it for one word.
  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_=.,/+:".contains($0)) }
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
