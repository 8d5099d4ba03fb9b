/// Compares the code in the documentation's articles with the code that the tests run.
///
/// In an article, a line of bold text before a block of Swift says whose it is: `**ActorDI**` or no such line for what is
/// run here, another name for another library's. In a test source, what an article shows stands between `// snippet: name`
/// and `// end`.
///
/// A block of `text` or `mermaid` is what is printed. In a test source it is a string literal of several lines between
/// `// output: name` and `// end`, which a test compares with what it gets. A line of the literal may end with a backslash.
enum ArticleComparison {
  /// The mark of blocks that have to be run.
  static let ours = "**ActorDI**"

  /// A piece of code, and where it stands.
  struct Piece: Equatable {
    var place: String
    /// An article's mark, a test's name for it.
    var mark: String
    /// Whether it is not code, but what code prints.
    var isOutput = false
    var lines: [Substring]

    func shows(_ other: Piece) -> Bool { isOutput == other.isOutput && lines == other.lines }
  }

  /// What articles and tests disagree about, in words; nothing if they agree.
  ///
  /// - Parameters:
  ///   - articles: The articles' texts, by name.
  ///   - sources: The test sources' texts, by name.
  static func complaints(articles: [String: String], sources: [String: String]) -> [String] {
    var complaints: [String] = []
    let blocks = articles.sorted { $0.key < $1.key }.flatMap { name, text in
      Self.blocks(in: text, of: name, &complaints)
    }
    let snippets = sources.sorted { $0.key < $1.key }.flatMap { name, text in
      Self.snippets(in: text, of: name, &complaints)
    }
    let shown = blocks.filter { $0.mark == ours || $0.isOutput }
    for block in shown where !snippets.contains(where: { $0.shows(block) }) {
      complaints.append("\(block.place): no snippet is equal to this block")
    }
    for snippet in snippets where !shown.contains(where: { $0.shows(snippet) }) {
      complaints.append("\(snippet.place): no article shows the snippet \(snippet.mark)")
    }
    return complaints
  }

  /// The blocks in an article.
  static func blocks(in text: String, of article: String, _ complaints: inout [String]) -> [Piece] {
    var blocks: [Piece] = []
    var open: Piece?
    var last: Substring = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let place = "\(article):\(index + 1)"
      if var block = open {
        guard line == "```" else {
          open?.lines.append(line)
          continue
        }
        block.lines = withoutMargin(block.lines)
        blocks.append(block)
        open = nil
      } else if line == "```swift" {
        open = Piece(place: place, mark: isMark(last) ? String(last) : ours, lines: [])
      } else if line == "```text" || line == "```mermaid" {
        open = Piece(place: place, mark: String(line), isOutput: true, lines: [])
      } else if line.hasPrefix("```") {
        complaints.append("\(place): a block that is neither Swift nor printed")
      }
      if line.contains(where: { $0 != " " }) { last = line }
    }
    if let open { complaints.append("\(open.place): a block without an end") }
    return blocks
  }

  /// The snippets in a test source.
  static func snippets(in text: String, of source: String, _ complaints: inout [String]) -> [Piece] {
    var snippets: [Piece] = []
    var open: Piece?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let place = "\(source):\(index + 1)"
      let content = line.drop { $0 == " " }
      if content.hasPrefix("// snippet: ") {
        if let open { complaints.append("\(open.place): a snippet without an end") }
        open = Piece(place: place, mark: String(content.dropFirst("// snippet: ".count)), lines: [])
      } else if content.hasPrefix("// output: ") {
        if let open { complaints.append("\(open.place): a snippet without an end") }
        open = Piece(
          place: place, mark: String(content.dropFirst("// output: ".count)), isOutput: true, lines: [])
      } else if content == "// end" {
        guard var snippet = open else {
          complaints.append("\(place): an end without a snippet")
          continue
        }
        if snippet.isOutput { snippet.lines = literal(snippet.lines) }
        snippet.lines = withoutMargin(snippet.lines)
        snippets.append(snippet)
        open = nil
      } else {
        open?.lines.append(line)
      }
    }
    if let open { complaints.append("\(open.place): a snippet without an end") }
    return snippets
  }

  /// What stands between the quotes, of which each has a line, with something before or after it.
  private static func literal(_ lines: [Substring]) -> [Substring] {
    lines.dropFirst().dropLast().map { $0.hasSuffix(" \\") ? $0.dropLast(2) : $0 }
  }

  private static func isMark(_ line: Substring) -> Bool {
    line.count > 4 && line.hasPrefix("**") && line.hasSuffix("**")
  }

  /// The lines without the indentation that they have in common.
  private static func withoutMargin(_ lines: [Substring]) -> [Substring] {
    let margins = lines.filter { !$0.isEmpty }.map { line in line.prefix { $0 == " " }.count }
    return lines.map { $0.dropFirst(margins.min() ?? 0) }
  }
}
