#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file descriptor that text is written to, whole or not at all.
struct Output: Sendable {
  static let standard = Output(descriptor: STDOUT_FILENO)
  static let error = Output(descriptor: STDERR_FILENO)

  private let descriptor: Int32
  /// Whether what was there before goes. Never so for a stream that this process was given: it may
  /// be a file that others write to as well.
  private let isOwn: Bool

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    self.isOwn = false
  }

  /// Opens a file for writing, making it if need be. What it holds stays until ``replace(with:)``,
  /// so that a run that fails half-way leaves the last report alone.
  ///
  /// - Throws: ``Failure`` with the system's reason.
  init(path: String) throws(Failure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    self.descriptor = descriptor
    self.isOwn = true
  }

  /// Writes all of the text.
  ///
  /// - Returns: Whether the system took it.
  @discardableResult
  func write(_ text: String) -> Bool {
    (try? writeAll(text)) != nil
  }

  /// Writes all of the text.
  ///
  /// - Throws: ``Failure`` with the system's reason, as when a disk is full.
  func writeAll(_ text: String) throws(Failure) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { buffer in
        #if canImport(Glibc)
          unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
          unsafe Musl.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          unsafe Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      if count > 0 {
        written += count
      } else if count < 0, errno != EINTR {
        throw Failure(code: errno)
      }
    }
  }

  /// Writes the text in the place of what a file held that was opened by its path; to a stream it is
  /// added.
  ///
  /// - Throws: ``Failure`` with the system's reason.
  func replace(with text: String) throws(Failure) {
    // Fails on a terminal or a device, which has no length to cut.
    if isOwn { _ = ftruncate(descriptor, 0) }
    try writeAll(text)
  }

  /// The system's reason for not writing.
  struct Failure: Error, CustomStringConvertible {
    let code: Int32

    var description: String {
      unsafe String(cString: strerror(code))
    }
  }
}
