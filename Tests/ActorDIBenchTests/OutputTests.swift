import Foundation
import Testing

@testable import ActorDIBench

@Suite("Files")
struct OutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String) -> String { "\(folder.path)/\(name)" }

  @Test("A file is replaced as a whole, keeps its permissions, and nothing is left beside it")
  func replaced() throws {
    let path = file("report")
    try ReportFile(path: path).write("one, and a good deal longer")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let file = try ReportFile(path: path)
    #expect(SystemText.contents(of: path) == "one, and a good deal longer")
    try file.write("two")
    #expect(SystemText.contents(of: path) == "two")
    #expect(FileSystem.mode(of: path) == 0o640)
    #expect(folder.names == ["report"])
  }

  @Test("A link stays one, and what it leads to is written")
  func links() throws {
    try ReportFile(path: file("target")).write("old")
    try FileManager.default.createSymbolicLink(atPath: file("link"), withDestinationPath: "target")
    try ReportFile(path: file("link")).write("new")
    #expect(SystemText.contents(of: file("target")) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file("link")) == "target")
  }

  @Test("A device is written to and stays where it is")
  func device() throws {
    try ReportFile(path: "/dev/null").write("text")
    #expect(FileSystem.kind(of: "/dev/null") == .other)
  }

  @Test("A folder, and a file in no folder, are refused")
  func refused() {
    #expect(throws: Output.Failure(code: EISDIR)) { try ReportFile(path: folder.path) }
    #expect(throws: Output.Failure(code: ENOENT)) { try ReportFile(path: file("none/report")) }
  }

  @Test("A report goes to its file, its plots into a folder that is made")
  func destination() throws {
    var options = Options(threads: [1, 2])
    options.format = .markdown
    options.output = file("page.md")
    options.svg = file("deep/plots")
    var report = ReportTests.report
    report.results.merge([
      .time(WarmSingleton.name, ContenderName.staticLet, .floor, [20, 20], lane: 2),
      .time(WarmSingleton.name, ContenderName.container, .container, [22, 22], lane: 2),
    ])
    report.plotFolder = FileSystem.link(to: file("deep/plots"), from: file("page.md"))
    try Destination(options).write(report)
    let page = try #require(SystemText.contents(of: file("page.md")))
    #expect(page.contains("](deep/plots/warm-singleton.svg)"))
    #expect(folder.names == ["deep", "page.md"])
    let plot = try #require(SystemText.contents(of: file("deep/plots/warm-singleton.svg")))
    #expect(try XMLCheck.elements(plot).contains { $0.text == ContenderName.container })
  }

  @Test(
    "A page links to its plots wherever the two are",
    arguments: [
      ("Benchmarks", "Benchmarks.md", "Benchmarks"), ("plots/", "docs/page.md", "../plots"),
      ("docs", "docs/page.md", "."),
      ("/tmp/plots", "/tmp/a/b/page.md", "../../plots"), ("./a/../plots", nil, "plots"),
      ("/work/here/plots", "page.md", "plots"),
    ] as [(String, String?, String)])
  func links(folder: String, page: String?, link: String) {
    #expect(FileSystem.link(to: folder, from: page, in: "/work/here") == link)
  }

  @Test("A link has nothing in it that would end it")
  func address() {
    #expect(MarkdownScenario.address("a b/(c)/é.svg") == "a%20b/%28c%29/%C3%A9.svg")
  }
}
