import Metrics
import Synchronization

/// Keeps the metrics of the process, and prints them in the text format of Prometheus: counters and meters with their value, timers with
/// their count and sum in nanoseconds. A real application uses the library of its metrics system instead.
public final class MetricsBoard: MetricsFactory {
  private struct Series: Hashable, Comparable, Sendable {
    var label: String
    var dimensions: String
    static func < (a: Self, b: Self) -> Bool { (a.label, a.dimensions) < (b.label, b.dimensions) }
  }

  private let values = Mutex<[Series: Cell]>([:])

  public init() {}

  /// All metrics, one a line.
  public var text: String {
    let all = values.withLock { $0 }
    return all.sorted { $0.key < $1.key }.map { series, cell in cell.lines(series.label, series.dimensions) }.joined()
  }

  private func cell(_ label: String, _ dimensions: [(String, String)], isTimer: Bool = false) -> Cell {
    let shown = dimensions.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
    // A character that Prometheus does not allow in a name.
    let series = Series(label: label.replacing(".", with: "_"), dimensions: shown.isEmpty ? "" : "{\(shown)}")
    return values.withLock { values in
      if let cell = values[series] { return cell }
      let cell = Cell(isTimer: isTimer)
      values[series] = cell
      return cell
    }
  }

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    cell(label, dimensions)
  }
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { cell(label, dimensions) }
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    cell(label, dimensions, isTimer: true)
  }
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { cell(label, dimensions, isTimer: true) }

  public func destroyCounter(_ handler: any CounterHandler) {}
  public func destroyMeter(_ handler: any MeterHandler) {}
  public func destroyTimer(_ handler: any TimerHandler) {}
  public func destroyRecorder(_ handler: any RecorderHandler) {}
}

/// One series, of any kind.
private final class Cell: CounterHandler, MeterHandler, TimerHandler, RecorderHandler {
  private let isTimer: Bool
  private let state = Mutex((count: 0, sum: 0.0))

  init(isTimer: Bool) { self.isTimer = isTimer }

  func lines(_ label: String, _ dimensions: String) -> String {
    let (count, sum) = state.withLock { $0 }
    return isTimer
      ? "\(label)_count\(dimensions) \(count)\n\(label)_sum\(dimensions) \(sum)\n" : "\(label)\(dimensions) \(sum)\n"
  }

  private func add(_ value: Double) { state.withLock { $0 = ($0.count + 1, $0.sum + value) } }

  func increment(by amount: Int64) { add(Double(amount)) }
  func increment(by amount: Double) { add(amount) }
  func decrement(by amount: Double) { add(-amount) }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { state.withLock { $0.sum = value } }
  func recordNanoseconds(_ duration: Int64) { add(Double(duration)) }
  func record(_ value: Int64) { add(Double(value)) }
  func record(_ value: Double) { add(value) }
  func reset() { state.withLock { $0 = (0, 0) } }
}
