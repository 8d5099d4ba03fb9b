#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that text is written to.
final class Output {
  static var standard: Output { Output(STDOUT_FILENO) }
  static var error: Output { Output(STDERR_FILENO) }

  let descriptor: Int32
  /// Whether the first write discards the old content of the file.
  private var isToBeEmptied = false

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Opens a file, and creates it if necessary. Its content stays until the first write.
  ///
  /// - Throws: ``UsageError`` with the system's reason.
  init(file path: String) throws(UsageError) {
    #if canImport(Glibc)
      descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    #elseif canImport(Musl)
      descriptor = unsafe Musl.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    #else
      descriptor = unsafe Darwin.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    #endif
    guard descriptor >= 0 else {
      throw UsageError("cannot write to '\(path)': \(Failure(code: errno))", hint: "choose another --output")
    }
    isToBeEmptied = true
  }

  /// Writes the whole text.
  ///
  /// - Throws: ``Failure`` with the system's reason, for example a full disk.
  func write(_ text: String) throws(Failure) {
    // Fails for devices and pipes, which have nothing to discard.
    if isToBeEmptied { _ = ftruncate(descriptor, 0) }
    isToBeEmptied = false
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

  /// The system's reason for a failed write.
  struct Failure: Error, Equatable, CustomStringConvertible {
    let code: Int32

    var description: String {
      unsafe String(cString: strerror(code))
    }
  }
}
