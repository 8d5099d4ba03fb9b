import ActorDI
import ActorDIInspector
import Foundation

struct Refused: Error {}

final class Config: Sendable {}
protocol Database: Sendable {}
final class SQLiteDatabase: Database {
  init(config: Config) async {}
}
final class Mailer: Sendable { init(config: Config) {} }
final class Templates: Sendable {}
final class Cache: Sendable { init(config: Config) {} }
final class Clock: Sendable {}
final class Request: Sendable {}
final class UnitOfWork: Sendable { init(database: any Database, clock: Clock) {} }
protocol NoteStore: Sendable {}
final class SQLNoteStore: NoteStore { init(work: UnitOfWork, clock: Clock) {} }
final class UserStore: Sendable { init(work: UnitOfWork, cache: Cache) {} }
final class Session: Sendable { init(request: Request, users: UserStore) {} }
final class NotesHandler: Sendable { init(notes: any NoteStore, session: Session, templates: Templates) {} }
final class UsersHandler: Sendable { init(users: UserStore, session: Session, mailer: Lazy<Mailer>) {} }
final class Janitor: Sendable { init(database: any Database, clock: Clock, mailer: Mailer) {} }
final class Refresh: Sendable {}

/// An application with 16 services.
func makeNotes(_ inspector: ContainerInspector, refresh: ManagedScope = ManagedScope("refresh")) -> Container {
  Container(name: "notes", configuration: .init(observer: inspector)) {
    Registration(autowired: NotesHandler.self, scope: .scoped("request"), initializer: NotesHandler.init)
    Registration(autowired: UsersHandler.self, scope: .scoped("request"), initializer: UsersHandler.init)
    Registration(autowired: Session.self, scope: .scoped("request"), initializer: Session.init)
    Registration(autowired: UnitOfWork.self, scope: .scoped("request"), initializer: UnitOfWork.init)
    Registration(autowired: (any NoteStore).self, scope: .scoped("request"), initializer: SQLNoteStore.init)
    Registration(autowired: UserStore.self, scope: .scoped("request"), initializer: UserStore.init)
    Registration(autowired: SQLiteDatabase.self, scope: .singleton, initializer: SQLiteDatabase.init)
      .eager().implements((any Database).self) { $0 }.onDispose { _ in }
    Registration(Config.self, scope: .singleton) { _ in Config() }.dependsOn()
    Registration(autowired: Cache.self, scope: .shared, initializer: Cache.init)
    Registration(autowired: Mailer.self, scope: .singleton, initializer: Mailer.init)
    Registration(Templates.self, scope: .managed(by: refresh)) { _ in Templates() }
    Registration(Clock.self) { _ in Clock() }.dependsOn()
    Registration(autowired: Janitor.self, scope: .singleton, initializer: Janitor.init)
    Registration(instance: URL(fileURLWithPath: "/var/notes")).key("storage")
    Registration(Int.self) { _ in throw Refused() }.key("port").dependsOn()
  }
}

/// Services that differ by key.
extension Registration where Service: Sendable {
  static func keyed<Key: Hashable & Sendable>(
    _ key: Key, scope: Scope = .transient, _ value: @escaping @Sendable @autoclosure () -> Service
  ) -> Self {
    Registration(Service.self, scope: scope) { _ in value() }.key(key).dependsOn()
  }
}

enum Shop {
  struct Controller: Sendable {}
  struct Policy: Sendable {}
  struct Repository: Sendable {}
  struct Client: Sendable {}
  struct Pool: Sendable {}
  struct Logger: Sendable {}
}

/// An application with services in areas of ten, and a few hubs.
func makeShop(services: Int, _ inspector: ContainerInspector = ContainerInspector()) -> Container {
  Container(name: "shop", configuration: .init(observer: inspector)) {
    Registration(Shop.Logger.self, scope: .singleton) { _ in Shop.Logger() }.dependsOn()
    Registration(Shop.Pool.self, scope: .singleton) { _ async in Shop.Pool() }.dependsOn(Shop.Logger.self).eager()
    for area in 0..<(services - 2) / 10 {
      let next = area % 7 == 0 ? area : area - 1
      Registration<Shop.Controller>.keyed("area \(area)", scope: .scoped("request"), .init())
        .dependsOn(Shop.Policy.self, key: area).dependsOn(Shop.Repository.self, key: area).dependsOn(Shop.Logger.self)
      Registration<Shop.Policy>.keyed(area, scope: .scoped("request"), .init())
        .dependsOn(UUID.self, key: area).dependsOn(Shop.Repository.self, key: next)
      Registration<Shop.Repository>.keyed(area, scope: .singleton, .init())
        .dependsOn(Shop.Pool.self).dependsOn(Shop.Logger.self).dependsOn(Shop.Client.self, key: area)
      Registration<Shop.Client>.keyed(area, scope: .shared, .init())
        .dependsOn(URL.self, key: area).dependsOn(Data.self, key: area).dependsOn(Shop.Logger.self)
      Registration<URL>.keyed(area, .init(fileURLWithPath: "/")).dependsOn(String.self, key: area)
      Registration<Data>.keyed(area, scope: .graph, .init()).dependsOn(Int.self, key: area)
      Registration<UUID>.keyed(area, .init())
      Registration<String>.keyed(area, scope: .singleton, "")
      Registration<Int>.keyed(area, 0)
      Registration<Date>.keyed(area, scope: .pooled(max: 2), .now).dependsOn(String.self, key: area)
    }
    for number in 0..<(services - 2) % 10 { Registration<Bool>.keyed(number, true) }
  }
}

/// Texts that would be markup, end a string or break a line.
let oddTexts = [
  "\"", "\\", "a\nb\r\n\tc", "\u{0}\u{1}\u{1F}\u{7F}\u{85}\u{2028}\u{2029}", "</script><img src=x onerror=alert(1)>",
  "<b>&amp;</b>", "é 日本 👩‍👩‍👧 e\u{301}",
  "\u{FFFF}\u{FEFF}", "'", "${x}`", "", "__proto__", "&#x26;service=1%",
]

/// A container with odd texts as keys, names and errors.
func makeOdd(_ inspector: ContainerInspector) -> Container {
  Container(name: "odd <i>&\"", configuration: .init(observer: inspector)) {
    for text in oddTexts {
      Registration(String.self, scope: .managed(by: ManagedScope(text))) { _ in text }.key(text).dependsOn()
      Registration(Int.self) { _ in throw Odd(text: text) }.key(text).dependsOn(Bool.self, key: text)
    }
  }
}

struct Odd: Error, CustomStringConvertible {
  let text: String
  var description: String { "Odd: \(text)" }
}
