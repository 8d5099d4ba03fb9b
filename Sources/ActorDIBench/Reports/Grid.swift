/// Rows and columns, written for a terminal or as Markdown.
struct Grid: Sendable {
  struct Column: Sendable {
    let title: String
    /// Numbers are aligned to the right.
    var isNumber = true
    /// Columns that are left out when the terminal is too narrow, those with the highest number first; those with none stay.
    var dispensability = 0
    /// What a cell is painted in, by its text and its line.
    var paint: (@Sendable (_ cell: String, _ line: [String]) -> Paint?)?
  }

  private(set) var columns: [Column]
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

  /// Adds a column, with a cell for each row.
  mutating func add(_ column: Column, cells: [String]) {
    columns.append(column)
    for (index, cell) in zip(rows.indices, cells) { rows[index].append(cell) }
  }

  /// Without the columns that it takes to fit into a width; what cannot be dispensed with stays.
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

  /// Aligned by spaces, each line ended by a newline; without what the terminal is too narrow for.
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

  /// Of the columns, without what is between them.
  private var widths: [Int] {
    columns.indices.map { index in rows.reduce(columns[index].title.count) { max($0, $1[index].count) } }
  }

  /// How wide the text is.
  var width: Int { widths.reduce(-Self.gap.count) { $0 + $1 + Self.gap.count } }

  static let gap = "  "

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
