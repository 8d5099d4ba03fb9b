/// The comparable part of an earlier run's JSON report.
struct PastRun: Sendable {
  /// The reason why a file cannot be used for a comparison.
  struct Unreadable: Error, Equatable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "cannot compare with '\(path)': \(reason)" }
  }

  let path: String
  /// The commit, date and processor of the run, as text.
  let occasion: String
  let processor: String
  let isOptimized: Bool
  private(set) var results = Results()

  /// Reads a report.
  ///
  /// - Throws: ``Unreadable`` if the file does not exist or contains no report.
  init(path: String) throws(Unreadable) {
    let text: String
    do { text = try SystemText.required(path) } catch { throw Unreadable(path: path, reason: "\(error)") }
    try self.init(path: path, text: text)
  }

  init(path: String, text: String) throws(Unreadable) {
    let value: JSONValue
    do {
      value = try JSONParser.value(text)
    } catch {
      throw Unreadable(path: path, reason: "it is not JSON (\(error))")
    }
    guard value["tool"]?.asString == "ActorDIBench", let scenarios = value["scenarios"]?.asArray else {
      throw Unreadable(path: path, reason: "it is not a report that this program wrote with --format json")
    }
    self.path = path
    let environment = value["environment"]
    func field(_ name: String) -> String { environment?[name]?.asString ?? "unknown" }
    processor = field("processor")
    isOptimized = environment?["optimized"] != .bool(false)
    occasion = "commit \(field("commit")), \(field("date")), \(processor)"
    for scenario in scenarios {
      results.merge(try Self.series(of: scenario, path))
    }
  }

  private static func series(of scenario: JSONValue, _ path: String) throws(Unreadable) -> [Series] {
    guard let name = scenario["name"]?.asString, let all = scenario["series"]?.asArray,
      let unit = scenario["unit"]?.asString
    else { throw Unreadable(path: path, reason: "a scenario lacks its name, its unit or its series") }
    guard let unit = MeasuredUnit(rawValue: unit) else {
      throw Unreadable(path: path, reason: "\(name) is in '\(unit)', which this version does not know")
    }
    var series: [Series] = []
    for one in all {
      let samples = one["samples"]?.asArray
      guard let contender = one["contender"]?.asString, let lane = one["lane"]?.asInt, let samples,
        let role = one["role"]?.asString.flatMap(Contender.Role.init)
      else { throw Unreadable(path: path, reason: "a series of \(name) lacks its contender, role, lane or samples") }
      let figures = samples.compactMap(\.asNumber)
      guard figures.count == samples.count else {
        throw Unreadable(path: path, reason: "a sample of '\(contender)' in \(name) is not a number")
      }
      var past = Series(scenario: name, contender: contender, role: role, lane: lane, unit: unit, samples: figures)
      for detail in Detail.allCases {
        past.details[detail] = one["details"]?[detail.rawValue]?.asArray?.compactMap(\.asNumber)
      }
      series.append(past)
    }
    return series
  }
}

extension Options {
  /// The run to compare with, if the options name one.
  func pastRun() throws(PastRun.Unreadable) -> PastRun? {
    guard let compare else { return nil }
    return try PastRun(path: compare)
  }
}
