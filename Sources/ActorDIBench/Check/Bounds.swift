/// The bounds: rows of the check that share an identifier belong together.
enum Bounds {
  /// All bounds for a machine with the given number of cores, in the order of their identifiers.
  static func all(cores: Int) -> [Bound] {
    let bounds = existing(cores: cores) + new + scopes(cores: cores) + many + forms
    return bounds.sorted { number($0) < number($1) }
  }

  private static func number(_ bound: Bound) -> Int { Int(bound.row.dropFirst()) ?? .max }

  /// A bound on the ratio of two contenders of a scenario.
  static func ratio(
    _ row: String, _ what: String, _ scenario: String, _ contender: String, to other: String, _ limit: Double,
    _ yardstick: String, lane: Int = 1
  ) -> Bound {
    Bound(
      row: row, what: what, figure: ratio(scenario, contender, to: other, lane: lane), limit: .atMost(limit),
      yardstick: yardstick)
  }

  /// A bound on a multiple of F, the `static let`.
  static func ofFloor(
    _ row: String, _ what: String, _ scenario: String, _ contender: String, _ limit: Double, lane: Int = 1
  ) -> Bound {
    ratio(row, what, scenario, contender, to: ContenderName.staticLet, limit, "× F", lane: lane)
  }

  /// A bound on a multiple of F at several points.
  static func ofFloor(_ row: String, _ what: String, _ limit: Double, _ points: [Bound.Point]) -> Bound {
    Bound(row: row, what: what, points: points, limit: .atMost(limit), yardstick: "× F")
  }

  /// A bound on a multiple of C, the plain construction.
  static func ofPlain(
    _ row: String, _ what: String, _ scenario: String, _ contender: String, _ limit: Double, lane: Int = 1
  ) -> Bound {
    ratio(row, what, scenario, contender, to: ContenderName.plain, limit, "× C", lane: lane)
  }

  /// A bound on a multiple of C at several points.
  static func ofPlain(_ row: String, _ what: String, _ limit: Double, _ points: [Bound.Point]) -> Bound {
    Bound(row: row, what: what, points: points, limit: .atMost(limit), yardstick: "× C")
  }

  /// A bound on the throughput of two threads or tasks and of as many as there are cores, over that of as many alone.
  ///
  /// - Parameters:
  ///   - subjects: The scenarios and their contenders, by the names of the points. The scenarios must measure arithmetic alone, too.
  static func scaling(
    _ row: String, _ what: String, _ limit: Double, cores: Int,
    of subjects: KeyValuePairs<String, (scenario: String, contender: String)>
  ) -> Bound {
    func figure(_ scenario: String, _ contender: String, _ count: Int) -> Bound.Figure {
      .scaling(
        .init(scenario: scenario, contender: contender, lane: count),
        over: .init(scenario: scenario, contender: contender))
    }
    let counts = Set([2, max(2, cores)]).sorted()
    return Bound(
      row: row, what: what,
      points: subjects.flatMap { name, subject in
        counts.map { count in
          Bound.Point(
            (name.isEmpty ? "" : "\(name), ") + "\(count) at once", figure(subject.scenario, subject.contender, count),
            freeCores: figure(subject.scenario, ContenderName.arithmetic, count))
        }
      },
      limit: .atLeast(limit), yardstick: "× n × one", minimumCores: 2)
  }

  /// The ratio of two contenders of a scenario.
  static func ratio(_ scenario: String, _ contender: String, to other: String, lane: Int = 1) -> Bound.Figure {
    .ratio(
      .init(scenario: scenario, contender: contender, lane: lane),
      to: .init(scenario: scenario, contender: other, lane: lane))
  }

  /// Multiples of F on several numbers of threads or tasks.
  ///
  /// - Parameters:
  ///   - name: The beginning of the points' names, if they are not named by the threads or tasks alone.
  static func onFloor(
    _ scenario: String, _ contender: String, _ counts: [Int], _ noun: String, name: String = ""
  ) -> [Bound.Point] {
    counts.map { count in
      Bound.Point(
        (name.isEmpty ? "" : "\(name), ") + Format.count(count, noun),
        ratio(scenario, contender, to: ContenderName.staticLet, lane: count))
    }
  }
}
