import ActorDITestSupport
import Foundation
import Testing

/// Checks the article "Internals" against the sources.
struct InternalsTests {
  /// Each invariant that a source of the library cites is in the article, and each in the article is cited.
  @Test func everyInvariantIsListed() throws {
    let article = try Repository.article("Internals")
    let listed = Set(article.matches(of: /(?m)^\| ([A-Z][0-9]) \|/).map(\.1))
    let sources = try Repository.sources(of: "ActorDI")
    let cited = Set(sources.flatMap { $0.matches(of: /[ (]([A-Z][0-9])\b/).map(\.1) })
    #expect(listed.count > 40)
    #expect(listed.subtracting(cited) == [], "not cited")
    #expect(cited.subtracting(listed) == [], "not in the article")
  }
}
