import ActorDI
import Synchronization

struct Port: Sendable {
  let number: Int

  struct Invalid: Error {}

  init(checking number: Int) throws {
    guard number > 0 else { throw Invalid() }
    self.number = number
  }
}

struct Host: Sendable {
  let port: Port
}

@MainActor final class Window {}

/// A class that is not `Sendable`.
final class Draft {
  var text = ""
}

final class Owner: Sendable {
  let port: Port
  init(port: Port) { self.port = port }
}

final class Report: Sendable {
  let pages: Int
  let title: String
  let font: Font?

  init(pages: Int, font: Font?, title: String) {
    self.pages = pages
    self.font = font
    self.title = title
  }
}

final class Remote: Sendable {
  let port: Port

  init(port: Port) async throws {
    await Task.yield()
    self.port = port
  }
}

struct Licence: Sendable {
  let holder: String
}

enum Theme: Sendable {
  case dark, light
}

final class Font: Sendable {
  let size: Int
  init(size: Int) { self.size = size }
}

struct Patience: Sendable {}

protocol Named: Sendable {}

final class Member: Named {
  let log = Log()
}

final class Log: Sendable {
  private let lines = Mutex<[String]>([])
  var texts: [String] { lines.withLock { $0 } }
  func append(_ text: String) { lines.withLock { $0.append(text) } }
}

final class Holder: @unchecked Sendable {
  // `@unchecked Sendable` because the property is written once, before the holder is visible elsewhere.
  var member: Member?
}
