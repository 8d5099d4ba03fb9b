#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file descriptor that text is written to.
struct Output: Sendable {
  static let standard = Output(descriptor: STDOUT_FILENO)
  static let error = Output(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// Writes the whole text.
  ///
  /// - Returns: Whether the system accepted it.
  @discardableResult
  func write(_ text: String) -> Bool {
    (try? writeAll(text)) != nil
  }

  /// Writes the whole text.
  ///
  /// - Throws: ``Failure`` with the system's reason, for example a full disk.
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

  /// The system's reason for a failed read or write.
  struct Failure: Error, Equatable, CustomStringConvertible {
    let code: Int32

    var description: String {
      unsafe String(cString: strerror(code))
    }
  }
}
