#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is there whole or as it was before: what is written goes to a file beside it, which takes its name when it is complete.
///
/// A device or a pipe (`/dev/stdout`) cannot be replaced and is written to as it is. A symbolic link stays one.
struct ReportFile: Sendable {
  let path: String
  /// What the path leads to, when that is a file or nothing yet.
  private let target: String?

  /// Makes sure that the file can be written, before anybody waits for what is to be in it.
  ///
  /// - Throws: ``Output/Failure`` with the system's reason.
  init(path: String) throws(Output.Failure) {
    self.path = path
    switch FileSystem.kind(of: path) {
    case .folder:
      throw Output.Failure(code: EISDIR)
    case .other:
      target = nil
      try Self.close(Self.open(path, O_WRONLY))
    case .file:
      let target = FileSystem.resolved(path)
      self.target = target
      guard unsafe access(target, W_OK) == 0 else { throw Output.Failure(code: errno) }
      try Self.tryOut(beside: target)
    case nil:
      target = path
      try Self.tryOut(beside: path)
    }
  }

  /// Makes the text the file's contents.
  ///
  /// - Throws: ``Output/Failure`` with the system's reason; the file is then as it was.
  func write(_ text: String) throws(Output.Failure) {
    guard let target else {
      let descriptor = try Self.open(path, O_WRONLY)
      defer { Self.close(descriptor) }
      return try Output(descriptor: descriptor).writeAll(text)
    }
    let draft = Self.draft(of: target)
    do {
      let descriptor = try Self.open(draft, O_WRONLY | O_CREAT | O_TRUNC)
      defer { Self.close(descriptor) }
      if let mode = FileSystem.mode(of: target) { _ = fchmod(descriptor, mode) }
      try Output(descriptor: descriptor).writeAll(text)
    } catch {
      unsafe unlink(draft)
      throw error
    }
    guard unsafe rename(draft, target) == 0 else {
      let failure = Output.Failure(code: errno)
      unsafe unlink(draft)
      throw failure
    }
  }

  /// The process in its name keeps two runs that write the same file apart.
  private static func draft(of path: String) -> String { "\(path).\(getpid()).part" }

  private static func tryOut(beside path: String) throws(Output.Failure) {
    let draft = draft(of: path)
    try close(open(draft, O_WRONLY | O_CREAT))
    unsafe unlink(draft)
  }

  private static func open(_ path: String, _ flags: Int32) throws(Output.Failure) -> Int32 {
    #if canImport(Glibc)
      let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o644)
    #elseif canImport(Musl)
      let descriptor = unsafe Musl.open(path, flags | O_CLOEXEC, 0o644)
    #else
      let descriptor = unsafe Darwin.open(path, flags | O_CLOEXEC, 0o644)
    #endif
    guard descriptor >= 0 else { throw Output.Failure(code: errno) }
    return descriptor
  }

  private static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}
