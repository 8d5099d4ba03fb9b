#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The circumstances that a reader needs to interpret a figure.
struct Environment: Equatable, Sendable {
  let processor: String
  let cores: Int
  let system: String
  let compiler: String
  let isOptimized: Bool
  let date: String
  let commit: String
  /// The average number of running threads on the machine in the minute before the run, if the system counts them.
  var load: Double?

  var buildText: String { isOptimized ? "optimised" : "not optimised" }

  /// A warning if something invalidates all figures.
  var warning: String? {
    isOptimized
      ? nil : "warning: built without optimisation, so the figures mean nothing; use -c release"
  }

  /// The number of processors that this process may use.
  static var availableCores: Int {
    let online = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let status = SystemText.contents(of: "/proc/self/status") ?? ""
    return field("Cpus_allowed", separator: ":", in: status).map { min(online, max(1, processors(in: $0))) } ?? online
  }

  /// The number of processors in a mask of hexadecimal words, such as `3,ffffffff`.
  static func processors(in mask: String) -> Int {
    mask.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
  }

  static func current() -> Environment {
    Environment(
      processor: processor, cores: availableCores, system: system, compiler: compiler,
      isOptimized: isOptimized, date: date, commit: commit, load: load)
  }

  private static var isOptimized: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// Swift does not expose the compiler's version at run time, so conditional compilation finds its lower bound.
  private static var compiler: String {
    #if compiler(>=6.5)
      "Swift 6.5 or later"
    #elseif compiler(>=6.4)
      "Swift 6.4"
    #elseif compiler(>=6.3.1)
      "Swift 6.3.1 or a later 6.3"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift before 6.3"
    #endif
  }

  private static var processor: String {
    let information = SystemText.contents(of: "/proc/cpuinfo") ?? ""
    return field("model name", separator: ":", in: information) ?? "\(architecture) processor"
  }

  private static var system: String {
    let release = SystemText.contents(of: "/etc/os-release") ?? ""
    let name = field("PRETTY_NAME", separator: "=", in: release) ?? "unknown system"
    return "\(name) (\(architecture))"
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "another architecture"
    #endif
  }

  private static var commit: String {
    SystemText.firstLine(of: "git rev-parse --short HEAD 2>/dev/null") ?? "unknown"
  }

  private static var load: Double? {
    var loads = [0.0]
    return unsafe getloadavg(&loads, 1) == 1 ? loads[0] : nil
  }

  /// Today's date in UTC, such as `2026-02-28`.
  private static var date: String {
    var now = time(nil)
    var day = unsafe tm()
    unsafe gmtime_r(&now, &day)
    func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return unsafe "\(day.tm_year + 1_900)-\(twoDigits(day.tm_mon + 1))-\(twoDigits(day.tm_mday))"
  }

  /// The value of the first line with the name before the separator, without quotation marks.
  static func field(_ name: String, separator: Character, in text: String) -> String? {
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: separator, maxSplits: 1)
      guard parts.count == 2, trimmed(parts[0]) == name else { continue }
      let value = trimmed(parts[1])
      return value.isEmpty ? nil : value
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.first, first.isWhitespace || first == "\"" { text.removeFirst() }
    while let last = text.last, last.isWhitespace || last == "\"" { text.removeLast() }
    return String(text)
  }
}
