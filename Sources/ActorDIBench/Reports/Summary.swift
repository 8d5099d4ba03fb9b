/// The figures that a reader wants first: what the usual operations cost, and how they scale.
struct Summary {
  /// An operation of the container, and the floor that it is compared with.
  private struct Operation {
    let name: String
    let scenario: String
    let contender: String
    let floor: String
  }

  private static let operations = [
    Operation(
      name: "existing singleton", scenario: WarmSingleton.name, contender: ContenderName.container,
      floor: ContenderName.staticLet),
    Operation(
      name: "existing singleton, await", scenario: WarmSingletonAwait.name, contender: ContenderName.container,
      floor: ContenderName.staticLet),
    Operation(
      name: "existing singleton, borrowed", scenario: WithResolved.name, contender: WithResolved.borrowed,
      floor: ContenderName.staticLet),
    Operation(
      name: "new object", scenario: Transient.name, contender: ContenderName.container, floor: ContenderName.plain),
    Operation(
      name: "new graph of ten objects", scenario: Graph.name,
      contender: ContenderName.container + ContenderName.byAutowiring, floor: ContenderName.plain),
    Operation(
      name: "request scope with six objects", scenario: Requests.name, contender: ContenderName.container,
      floor: ContenderName.plain),
  ]

  /// The largest number of threads or tasks.
  let most: Int

  /// - Parameter threads: The thread counts of the command line.
  init(threads: [Int]) {
    most = threads.max() ?? 1
  }

  /// All that must be measured.
  var subjects: [Bound.Subject] {
    Self.operations.flatMap { operation in
      [operation.contender, operation.floor].flatMap { contender in
        Set([1, most]).sorted().map { .init(scenario: operation.scenario, contender: contender, lane: $0) }
      }
    }
  }

  /// The figures of an operation.
  struct Line: Equatable, Sendable {
    let operation: String
    /// The nanoseconds of one operation on one thread.
    let nanoseconds: Double
    /// The nanoseconds as a multiple of the floor's.
    let multiple: Double
    /// The floor, such as `F`.
    let floor: String
    /// The largest number of threads or tasks.
    let most: Int
    /// The operations per second on one thread.
    let alone: Double
    /// The operations per second of the largest number of threads or tasks together.
    let together: Double
    /// The median of the speed-ups over one thread.
    let speedUp: Double
    let floorSpeedUp: Double
  }

  /// The figures of the operations that were measured.
  func lines(of results: Results) -> [Line] {
    Self.operations.compactMap { operation in
      func series(_ contender: String, _ lane: Int) -> Series? {
        results.series(scenario: operation.scenario, contender: contender, lane: lane)
      }
      guard let alone = series(operation.contender, 1), let together = series(operation.contender, most),
        let floor = series(operation.floor, 1), let floorTogether = series(operation.floor, most),
        let nanoseconds = alone.median, let nanosecondsTogether = together.median,
        let multiple = alone.ratio(to: floor), let speedUp = alone.ratio(to: together),
        let floorSpeedUp = floor.ratio(to: floorTogether)
      else { return nil }
      return Line(
        operation: operation.name, nanoseconds: nanoseconds, multiple: multiple,
        floor: TableReport.abbreviated(operation.floor), most: most, alone: 1e9 / nanoseconds,
        together: 1e9 / nanosecondsTogether, speedUp: speedUp, floorSpeedUp: floorSpeedUp)
    }
  }

  // MARK: - Text

  /// The number of characters of a full bar.
  static let width = 16

  /// The lines as a table, with an explanation.
  static func text(of lines: [Line]) -> String {
    let most = lines.first?.most ?? 1
    var columns: [Grid.Column] = [
      .init(title: "operation", isNumber: false), .init(title: "ns"), .init(title: "÷ floor"),
      .init(title: "1 thread, M/s"),
    ]
    if most > 1 {
      columns += [
        .init(title: "\(most) threads, M/s"), .init(title: "speed-up"), .init(title: "floor's"),
        .init(title: "of \(most)", isNumber: false),
      ]
    }
    var grid = Grid(columns)
    for line in lines {
      var cells = [
        line.operation, Format.measured(line.nanoseconds), "\(Format.fixed(line.multiple, digits: 2)) × \(line.floor)",
        Format.measured(line.alone / 1e6),
      ]
      if most > 1 {
        cells += [
          Format.measured(line.together / 1e6), Format.fixed(line.speedUp, digits: 2),
          Format.fixed(line.floorSpeedUp, digits: 2), bar(line.speedUp / Double(most)),
        ]
      }
      grid.add(cells)
    }
    return "\n" + grid.text() + """

      F: a static let of the same type. C: construction of the same objects by hand. M/s: million operations per second.
      \(most > 1 ? "Speed-up: \(most) threads together over one; a full bar is a speed-up of \(most).\n" : "")
      """
  }

  /// A bar for a share of 1.
  static func bar(_ share: Double) -> String {
    let filled = Int((min(max(share, 0), 1) * Double(width)).rounded())
    return String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
  }
}
