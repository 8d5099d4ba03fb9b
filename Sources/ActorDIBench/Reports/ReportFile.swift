#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is replaced atomically: a draft beside it receives the content, and takes its name when complete.
///
/// A device or a pipe (`/dev/stdout`) cannot be replaced, and is written to directly. A symbolic link stays a link.
struct ReportFile: Sendable {
  let path: String
  /// The target of the path, if it is a file or does not exist yet; `nil` for a device or a pipe.
  private let target: String?

  /// Checks that the file is writable before its content is produced.
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

  /// Replaces the content of the file.
  ///
  /// - Throws: ``Output/Failure`` with the system's reason. A regular file is then unchanged.
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

  /// The name contains the process ID, so that two runs with the same file do not share a draft.
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
