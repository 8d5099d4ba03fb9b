/// Rows and columns, written for a terminal or as Markdown.
struct Grid: Equatable, Sendable {
  struct Column: Equatable, Sendable {
    let title: String
    /// Numbers are aligned to the right.
    var isNumber = true
  }

  let columns: [Column]
  /// As many cells in each as there are columns.
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row; missing cells are empty, cells beyond the last column are dropped.
  mutating func add(_ cells: [String]) {
    let missing = max(0, columns.count - cells.count)
    rows.append(Array(cells.prefix(columns.count)) + Array(repeating: "", count: missing))
  }

  /// Aligned by spaces, each line ended by a newline.
  func text(indent: String = "") -> String {
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { index in
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

  /// A pipe table, each line ended by a newline.
  func markdown() -> String {
    func line(_ cells: [String]) -> String {
      "| " + cells.map(Self.escaped).joined(separator: " | ") + " |\n"
    }
    let rule = columns.map { $0.isNumber ? "---:" : "---" }
    return line(columns.map(\.title)) + line(rule) + rows.map(line).joined()
  }

  private static func escaped(_ cell: String) -> String {
    cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
