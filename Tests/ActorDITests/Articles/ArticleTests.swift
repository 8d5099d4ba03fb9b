import ActorDITestSupport
import Foundation
import Testing

/// The code in the articles is the code that the tests beside this file compile and run.
struct ArticleTests {
  private static func texts(in folder: URL, _ suffix: String) throws -> [String: String] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try Dictionary(
      uniqueKeysWithValues: files.filter { $0.pathExtension == suffix }.map { file in
        (file.lastPathComponent, try String(contentsOf: file, encoding: .utf8))
      })
  }

  private static func articles() throws -> [String: String] {
    var articles = try texts(in: Repository.articles, "md")
    articles["README.md"] = try readMe()
    return articles
  }

  /// The README as an article: its Swift is ours, but for the lines of a manifest. Shell commands are left out.
  private static func readMe() throws -> String {
    let text = try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var (article, block): ([Substring], [Substring]?) = ([], nil)
    for line in lines {
      guard let open = block else {
        if line.hasPrefix("```") { block = [line] } else { article.append(line) }
        continue
      }
      block = open + [line]
      guard line == "```" else { continue }
      if open[0] != "```" {
        article.append(open[1].hasPrefix("// Package.swift") ? "**Package.swift**" : ArticleComparison.ours[...])
        article += open + [line]
      }
      block = nil
    }
    return article.joined(separator: "\n")
  }

  @Test func articlesShowWhatIsRun() throws {
    let articles = try Self.articles()
    var sources: [String: String] = [:]
    // The others have models of protocols and tests with default main-actor isolation.
    for folder in ["ActorDITests/Articles", "ActorDITests/Proofs", "ActorDIMainActorTests"] {
      sources.merge(try Self.texts(in: Repository.root.appending(path: "Tests/\(folder)"), "swift")) { $1 }
    }
    // The snippets of these files are planted ones.
    sources = sources.filter { !$0.key.hasPrefix("Article") }
    #expect(articles.count >= 5 && sources.count >= 4)
    #expect(ArticleComparison.complaints(articles: articles, sources: sources) == [])
  }

  // MARK: The comparison itself

  private let article = """
    # An article

    **Theirs**

    ```swift
    container.make()
    ```

    **ActorDI**

    ```swift
    let container = Container {
      Registration(Int.self) { _ in 1 }

    }
    ```
    """

  private let source = """
    func test() {
        // snippet: numbers
        let container = Container {
          Registration(Int.self) { _ in 1 }

        }
        // end
        #expect(true)
    }
    """

  private func complaints(article: String? = nil, source: String? = nil) -> [String] {
    ArticleComparison.complaints(
      articles: ["A.md": article ?? self.article], sources: ["T.swift": source ?? self.source])
  }

  @Test func equalButForIndentationIsEqual() {
    #expect(complaints() == [])
  }

  @Test(arguments: [("in 1", "in 2"), ("{\n  Reg", "{\n   Reg"), ("1 }\n\n", "1 }\n")])
  func anyOtherDifferenceIsFound(old: String, new: String) {
    #expect(
      complaints(article: article.replacing(old, with: new)) == [
        "A.md:11: no snippet is equal to this block", "T.swift:2: no article shows the snippet numbers",
      ])
  }

  @Test func whatIsShownHasToBeRunAndTheOtherWayRound() {
    #expect(complaints(source: "") == ["A.md:11: no snippet is equal to this block"])
    #expect(complaints(article: "# Nothing") == ["T.swift:2: no article shows the snippet numbers"])
    let theirs = article.replacing("**ActorDI**", with: "**Theirs**")
    #expect(complaints(article: theirs) == ["T.swift:2: no article shows the snippet numbers"])
  }

  @Test func blocksAreOursUnlessMarkedAndHaveToBeClosed() {
    #expect(
      complaints(article: article.replacing("**Theirs**", with: "Theirs")) == [
        "A.md:5: no snippet is equal to this block"
      ])
    #expect(complaints(article: article.replacing("**ActorDI**", with: "Ours")) == [])
    #expect(
      complaints(article: article + "\n```\nplain\n").first == "A.md:17: a block that is neither Swift nor printed")
    #expect(complaints(article: article + "\n**B**\n```swift\nopen\n") == ["A.md:18: a block without an end"])
  }

  @Test func whatIsPrintedIsComparedLineByLine() {
    let printed = """
      // output: greeting
      let text = \"""
        Good \\
        morning

          Ada
        \"""
      // end
      """
    let article = "```text\nGood\nmorning\n\n  Ada\n```\n"
    #expect(complaints(article: article, source: printed) == [])
    #expect(
      complaints(article: article.replacing("  Ada", with: "Ada"), source: printed) == [
        "A.md:1: no snippet is equal to this block", "T.swift:1: no article shows the snippet greeting",
      ])
    // What is run is not what is printed.
    let code = "// snippet: greeting\nGood\nmorning\n\n  Ada\n// end\n"
    #expect(complaints(article: article, source: code).count == 2)
  }

  @Test func snippetsHaveToBeClosed() {
    #expect(
      complaints(source: source + "\n// snippet: open\n") == ["T.swift:10: a snippet without an end"])
    #expect(complaints(source: source + "\n// end\n") == ["T.swift:10: an end without a snippet"])
  }
}
