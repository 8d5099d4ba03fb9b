import Foundation
import Testing

@testable import ActorDIBench

@Suite("Files")
struct OutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("An open file keeps its content until the first write, and its permissions; later writes append")
  func replaced() throws {
    let path = "\(folder.path)/report"
    try Output(file: path).write("one, which is longer")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let output = try Output(file: path)
    #expect(SystemText.contents(of: path) == "one, which is longer")
    try output.write("two")
    try output.write(", three")
    #expect(SystemText.contents(of: path) == "two, three")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    try Output(file: "/dev/null").write("text")
  }

  @Test("A folder, and a file in no folder, are errors")
  func refused() {
    let none = "\(folder.path)/none/report"
    for (path, reason) in [(folder.path, "Is a directory"), (none, "No such file or directory")] {
      let error = #expect(throws: UsageError.self) { try Output(file: path) }
      #expect(error?.message == "cannot write to '\(path)': \(reason)")
    }
  }
}
