/// A table of text.
struct Grid: Sendable {
  struct Column: Sendable {
    let title: String
    /// Whether the column contains numbers, which are aligned to the right.
    var isNumber = true
  }

  let columns: [Column]
  /// The rows, each with one cell per column.
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row, with a cell for each column.
  mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count)
    rows.append(cells)
  }

  /// The table aligned with spaces, one line per row.
  func text(indent: String = "") -> String {
    let widths = columns.indices.map { index in rows.reduce(columns[index].title.count) { max($0, $1[index].count) } }
    func line(_ cells: [String]) -> String {
      let padded = columns.indices.map { index in
        let padding = String(repeating: " ", count: widths[index] - cells[index].count)
        return columns[index].isNumber ? padding + cells[index] : cells[index] + padding
      }
      var line = indent + padded.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return line(columns.map(\.title)) + line(rule) + rows.map(line).joined()
  }
}
