/// A table, printed for a terminal or as Markdown.
struct Grid: Sendable {
  struct Column: Sendable {
    let title: String
    /// Whether the column contains numbers, which are aligned to the right.
    var isNumber = true
    /// The order in which columns are omitted when the terminal is too narrow, highest first. Columns with 0 always stay.
    var dispensability = 0
    /// The paint of a cell, by its text and its row.
    var paint: (@Sendable (_ cell: String, _ line: [String]) -> Paint?)?
  }

  private(set) var columns: [Column]
  /// The rows, each with one cell per column.
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row. Missing cells are empty, and cells beyond the last column are dropped.
  mutating func add(_ cells: [String]) {
    let missing = max(0, columns.count - cells.count)
    rows.append(Array(cells.prefix(columns.count)) + Array(repeating: "", count: missing))
  }

  /// Adds a column, with a cell for each row.
  mutating func add(_ column: Column, cells: [String]) {
    columns.append(column)
    for (index, cell) in zip(rows.indices, cells) { rows[index].append(cell) }
  }

  /// Omits as many columns as necessary to fit into a width. Indispensable columns stay.
  func narrowed(to width: Int) -> Grid {
    var grid = self
    while grid.width > width,
      let least = grid.columns.indices.max(by: { grid.columns[$0].dispensability < grid.columns[$1].dispensability }),
      grid.columns[least].dispensability > 0
    {
      grid.columns.remove(at: least)
      for index in grid.rows.indices { grid.rows[index].remove(at: least) }
    }
    return grid
  }

  /// The table aligned with spaces, one line per row, without the columns that the terminal has no room for.
  func text(indent: String = "", for terminal: Terminal = .plain) -> String {
    terminal.width.map { narrowed(to: $0 - indent.count) }?.lines(indent, terminal) ?? lines(indent, terminal)
  }

  private func lines(_ indent: String, _ terminal: Terminal) -> String {
    let widths = widths
    func line(_ cells: [String], paint: (Int) -> Paint?) -> String {
      let padded = columns.indices.map { index in
        let painted = paint(index)?.on(cells[index], terminal) ?? cells[index]
        let padding = String(repeating: " ", count: widths[index] - cells[index].count)
        return columns[index].isNumber ? padding + painted : painted + padding
      }
      var line = indent + padded.joined(separator: Self.gap)
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return line(columns.map(\.title)) { _ in .heading } + line(rule) { _ in .faint }
      + rows.map { row in line(row) { columns[$0].paint?(row[$0], row) } }.joined()
  }

  /// The widths of the columns, without the gaps.
  private var widths: [Int] {
    columns.indices.map { index in rows.reduce(columns[index].title.count) { max($0, $1[index].count) } }
  }

  /// The width of the text.
  var width: Int { widths.reduce(-Self.gap.count) { $0 + $1 + Self.gap.count } }

  static let gap = "  "

  /// The table as a Markdown pipe table, one line per row.
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
