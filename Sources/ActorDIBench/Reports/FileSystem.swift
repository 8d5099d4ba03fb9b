#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Queries and paths of the file system.
enum FileSystem {
  enum Kind: Equatable {
    case file
    case folder
    /// A device, a pipe or a socket.
    case other
  }

  /// The kind of file at a path, following links; `nil` if nothing exists there.
  static func kind(of path: String) -> Kind? {
    switch status(of: path)?.st_mode.mask(S_IFMT) {
    case nil: nil
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// The permissions of a file.
  static func mode(of path: String) -> mode_t? {
    status(of: path)?.st_mode.mask(0o7777)
  }

  /// The path without links; unchanged if it leads nowhere.
  static func resolved(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Creates the folder and its ancestors if necessary.
  ///
  /// - Throws: ``Output/Failure`` with the system's reason.
  static func makeFolder(_ path: String) throws(Output.Failure) {
    if kind(of: path) == .folder { return }
    let parts = path.split(separator: "/")
    for count in parts.indices {
      let part = (path.hasPrefix("/") ? "/" : "") + parts[...count].joined(separator: "/")
      let kind = kind(of: part)
      if kind == .folder { continue }
      guard kind == nil else { throw Output.Failure(code: ENOTDIR) }
      guard unsafe mkdir(part, 0o755) == 0 else { throw Output.Failure(code: errno) }
    }
  }

  static var currentFolder: String {
    guard let folder = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder)
  }

  /// The relative link from a page to a file or folder.
  ///
  /// - Parameters:
  ///   - page: The path of the page. Without a path, the page is assumed to be in the current folder.
  static func link(to path: String, from page: String?, in folder: String = currentFolder) -> String {
    let target = parts(of: path, in: folder)
    let base = page.map { Array(parts(of: $0, in: folder).dropLast()) } ?? parts(of: ".", in: folder)
    let shared = zip(target, base).prefix { $0 == $1 }.count
    let way = Array(repeating: "..", count: base.count - shared) + target[shared...]
    return way.isEmpty ? "." : way.joined(separator: "/")
  }

  private static func parts(of path: String, in folder: String) -> [String] {
    var parts: [String] = []
    for part in (path.hasPrefix("/") ? path : "\(folder)/\(path)").split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}

extension mode_t {
  fileprivate func mask(_ bits: mode_t) -> mode_t { self & bits }
}
