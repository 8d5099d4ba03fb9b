/// Where a registration was written.
public struct RegistrationSource: Sendable, CustomStringConvertible {
  /// Module and file, as `#fileID`.
  public let fileID: StaticString
  /// The line, from 1.
  public let line: UInt32

  init(_ fileID: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.line = UInt32(truncatingIfNeeded: line)
  }

  /// File and line, as compilers print them.
  public var description: String { "\(fileID):\(line)" }
}

extension RegistrationSource: Hashable {
  /// Whether two registrations were written in the same line of the same file.
  public static func == (left: RegistrationSource, right: RegistrationSource) -> Bool {
    left.line == right.line && left.fileID.description == right.fileID.description
  }

  /// Hashes the line and the file's name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(fileID.description)
  }
}
