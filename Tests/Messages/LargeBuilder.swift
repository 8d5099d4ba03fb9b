// A builder of 60 statements with loops and conditions in two levels.
// expected: nothing
import ActorDI

protocol Store: Sendable {}
final class Disk: Store { init() {} }
final class Cache: Store { init(store: any Store) {} }
final class Page: Sendable { init(store: any Store, name: String) {} }
let isLive = true
let container = Container {
  for name in ["a", "b"] {
    Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("1").key(name)
    if isLive {
      Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "2")) }
      Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements(
        (any Store).self
      ) { $0 }
      Registration(Page.self) { r in Page(store: try r.resolve(key: "4"), name: "a") }.onDispose { _ in }
    } else {
      Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("5")
      Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
      Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("7")
      Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "8")) }
    }
  }
  if isLive {
    Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements((any Store).self)
    { $0 }
  }
  Registration(Page.self) { r in Page(store: try r.resolve(key: "10"), name: "a") }.onDispose { _ in }
  for name in ["a", "b"] {
    Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("11").key(name)
    if isLive {
      Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
      Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("13")
      Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "14")) }
    } else {
      Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements(
        (any Store).self
      ) { $0 }
      Registration(Page.self) { r in Page(store: try r.resolve(key: "16"), name: "a") }.onDispose { _ in }
      Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("17")
      Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
    }
  }
  if isLive {
    Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("19")
  }
  Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "20")) }
  for name in ["a", "b"] {
    Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements((any Store).self)
    { $0 }.key(name)
    if isLive {
      Registration(Page.self) { r in Page(store: try r.resolve(key: "22"), name: "a") }.onDispose { _ in }
      Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("23")
      Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
    } else {
      Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("25")
      Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "26")) }
      Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements(
        (any Store).self
      ) { $0 }
      Registration(Page.self) { r in Page(store: try r.resolve(key: "28"), name: "a") }.onDispose { _ in }
    }
  }
  if isLive {
    Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("29")
  }
  Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
  for name in ["a", "b"] {
    Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("31").key(name)
    if isLive {
      Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "32")) }
      Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements(
        (any Store).self
      ) { $0 }
      Registration(Page.self) { r in Page(store: try r.resolve(key: "34"), name: "a") }.onDispose { _ in }
    } else {
      Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("35")
      Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
      Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("37")
      Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "38")) }
    }
  }
  if isLive {
    Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements((any Store).self)
    { $0 }
  }
  Registration(Page.self) { r in Page(store: try r.resolve(key: "40"), name: "a") }.onDispose { _ in }
  for name in ["a", "b"] {
    Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("41").key(name)
    if isLive {
      Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
      Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("43")
      Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "44")) }
    } else {
      Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements(
        (any Store).self
      ) { $0 }
      Registration(Page.self) { r in Page(store: try r.resolve(key: "46"), name: "a") }.onDispose { _ in }
      Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("47")
      Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
    }
  }
  if isLive {
    Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("49")
  }
  Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "50")) }
  for name in ["a", "b"] {
    Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements((any Store).self)
    { $0 }.key(name)
    if isLive {
      Registration(Page.self) { r in Page(store: try r.resolve(key: "52"), name: "a") }.onDispose { _ in }
      Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("53")
      Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
    } else {
      Registration((any Store).self, scope: .singleton) { _ in Disk() }.key("55")
      Registration((any Store).self, scope: .singleton) { r in Cache(store: try r.resolve(key: "56")) }
      Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init(store:)).implements(
        (any Store).self
      ) { $0 }
      Registration(Page.self) { r in Page(store: try r.resolve(key: "58"), name: "a") }.onDispose { _ in }
    }
  }
  if isLive {
    Registration(Page.self, scope: .scoped) { r in Page(store: try await r.resolve(), name: "b") }.key("59")
  }
  Registration(Page.self) { (r, name: String) in Page(store: try r.resolve(), name: name) }
}
