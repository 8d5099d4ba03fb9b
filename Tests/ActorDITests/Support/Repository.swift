package import Foundation

/// The files of this package, for tests of what its pages say.
package enum Repository {
  package static var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  package static var articles: URL { root.appending(path: "Sources/ActorDI/ActorDI.docc") }

  package static func article(_ name: String) throws -> String {
    try String(contentsOf: articles.appending(path: "\(name).md"), encoding: .utf8)
  }

  /// The texts of a target's Swift sources.
  package static func sources(of target: String) throws -> [String] {
    let folder = root.appending(path: "Sources/\(target)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }
}
