/// A measurement in which the container is not the fastest.
struct Loss: Equatable, Sendable {
  let scenario: String
  let lane: Int
  let contender: String
  let reference: String
  let factor: Double

  static func all(in results: Results) -> [Loss] {
    results.series.filter { $0.role == .container && $0.unit.isTime }.flatMap { one in
      results.series(scenario: one.scenario, lane: one.lane).compactMap { other -> Loss? in
        guard other.role == .floor || other.role == .baseline, let factor = one.ratio(to: other),
          factor > 1
        else {
          return nil
        }
        return Loss(
          scenario: one.scenario, lane: one.lane, contender: one.contender,
          reference: other.contender, factor: factor)
      }
    }
  }

  /// The worst loss of each scenario against each reference, and the number of losses that it represents.
  static func worst(_ losses: [Loss]) -> [(loss: Loss, places: Int)] {
    var worst: [(loss: Loss, places: Int)] = []
    for loss in losses {
      let index = worst.firstIndex { $0.loss.scenario == loss.scenario && $0.loss.reference == loss.reference }
      guard let index else {
        worst.append((loss, 1))
        continue
      }
      worst[index].places += 1
      if loss.factor > worst[index].loss.factor { worst[index].loss = loss }
    }
    return worst
  }

  static func grid(_ losses: [(loss: Loss, places: Int)]) -> Grid {
    let isCounted = losses.contains { $0.places > 1 }
    var grid = Grid(
      [
        .init(title: "scenario", isNumber: false), .init(title: "contender", isNumber: false),
        .init(title: "at", isNumber: false), .init(title: "is slower than", isNumber: false), .init(title: "by"),
      ] + (isCounted ? [.init(title: "places")] : []))
    for (loss, places) in losses {
      let noun = Scenarios.named(loss.scenario)?.lanes.noun ?? "threads"
      grid.add([
        loss.scenario, loss.contender, Format.count(loss.lane, String(noun.dropLast())), loss.reference,
        "\(Format.fixed(loss.factor, digits: 2)) ×", String(places),
      ])
    }
    return grid
  }
}
