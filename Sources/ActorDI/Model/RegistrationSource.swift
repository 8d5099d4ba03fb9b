/// The source location of a registration.
public struct RegistrationSource: Sendable, Hashable, CustomStringConvertible {
  /// The module and file, in the format of `#fileID`.
  public let fileID: StaticString
  /// The line number, from 1.
  public let line: UInt32

  init(_ fileID: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.line = UInt32(truncatingIfNeeded: line)
  }

  /// The file and line in the format of compiler diagnostics.
  public var description: String { "\(fileID):\(line)" }

  /// Whether two registrations were written in the same line of the same file.
  public static func == (left: RegistrationSource, right: RegistrationSource) -> Bool {
    left.line == right.line && left.fileID.description == right.fileID.description
  }

  /// Hashes the line and the file ID.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(fileID.description)
  }
}
