#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads text from files and from commands.
enum SystemText {
  /// The content of a file; `nil` if it cannot be read.
  static func contents(of path: String) -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    return unsafe read(file)
  }

  /// Writes to an existing file.
  ///
  /// - Returns: Whether the system accepted it.
  static func replace(_ path: String, with text: String) -> Bool {
    guard let file = unsafe fopen(path, "r+") else { return false }
    let isWritten = unsafe fputs(text, file) >= 0
    return unsafe fclose(file) == 0 && isWritten
  }

  /// The first line that a shell command prints.
  ///
  /// - Returns: The line; `nil` if the command prints none or fails.
  static func firstLine(of command: String) -> String? {
    guard let pipe = unsafe popen(command, "r") else { return nil }
    let text = unsafe read(pipe)
    guard unsafe pclose(pipe) == 0 else { return nil }
    return text.split(whereSeparator: \.isNewline).first.map(String.init)
  }

  #if canImport(Musl)
    private typealias File = OpaquePointer
  #else
    private typealias File = UnsafeMutablePointer<FILE>
  #endif

  private static func read(_ file: File) -> String {
    var bytes: [UInt8] = []
    while true {
      let byte = unsafe getc(file)
      guard byte >= 0 else { break }
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
