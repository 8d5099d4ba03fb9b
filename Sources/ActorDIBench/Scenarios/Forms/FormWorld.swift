import ActorDI

/// The container of the forms, and what they need besides.
struct FormWorld: Sendable {
  let container: Container
  /// A provider that all threads call, as a kept service does that holds one.
  let provider: Provider<Part>

  init() async throws {
    container = Container {
      Registration(Part.self) { _ in Part() }
      Registration(Part.self) { _ in Part() }.key("spare")
      Registration(Labelled.self) { (_, label: Int) in Labelled(label: label) }
      Registration(Hooked.self) { _ in Hooked() }.onCreated { _, _ in }
      Registration(Square.self) { _ in Square() }.implements((any Shape).self) { $0 }
      Registration(Circle.self) { _ in Circle() }.implements((any Shape).self) { $0 }
      Registration(Decorated.self) { _ in Decorated() }
      Registration(autowired: RequiringPart.self, initializer: RequiringPart.init)
      Registration(autowired: LazyPart.self, initializer: LazyPart.init)
      Registration(autowired: ProvidedPart.self, initializer: ProvidedPart.init)
      Registration(autowired: OptionalPart.self, initializer: OptionalPart.init)
      Registration(autowired: WithoutPart.self, initializer: WithoutPart.init)
      Registration(autowired: Drawing.self, initializer: Drawing.init)
      Registration(autowired: Spares.self, initializer: Spares.init)
      Registration(autowired: Shared.self, scope: .graph, initializer: Shared.init)
      Registration(autowired: SharingInner.self, initializer: SharingInner.init)
      Registration(autowired: Sharing.self, initializer: Sharing.init)
      Registration(instance: Settings(port: Settings.port))
      Registration(instance: Page())
      Registration(autowired: Printed.self, initializer: Printed.init)
      Registration(Loaded.self) { _ in
        await Task.yield()
        return Loaded()
      }
      Registration(autowired: Session.self, scope: .scoped("request"), initializer: Session.init)
      Registration(autowired: Connection.self, scope: .scoped("request"), initializer: Connection.init)
        .onDispose { $0.close() }
      Registration(autowired: Transaction.self, scope: .scoped("request"), initializer: Transaction.init)
        .onDispose { $0.close() }
      Registration(autowired: Handler.self, initializer: Handler.init)
    }
    provider = container.provider(for: Part.self)
    try await container.decorate(Decorated.self) { _, inner in inner }
  }
}

// MARK: - The services, in the same file as their factories: see Chain.swift

extension FormWorld {
  /// A class without dependencies.
  final class Part: Sendable { let weight = 1 }
  /// A class that nothing registers.
  final class Absent: Sendable {}

  final class Labelled: Sendable {
    let label: Int
    init(label: Int) { self.label = label }
  }

  final class Hooked: Sendable { let weight = 1 }
  final class Decorated: Sendable { let weight = 1 }

  protocol Shape: Sendable { var corners: Int { get } }
  final class Square: Shape { let corners = 4 }
  final class Circle: Shape { let corners = 0 }

  final class RequiringPart: Sendable {
    let part: Part
    init(part: Part) { self.part = part }
  }

  final class LazyPart: Sendable {
    let part: Lazy<Part>
    init(part: Lazy<Part>) { self.part = part }
  }

  final class ProvidedPart: Sendable {
    let part: Provider<Part>
    init(part: Provider<Part>) { self.part = part }
  }

  final class OptionalPart: Sendable {
    let part: Part?
    init(part: Part?) { self.part = part }
  }

  final class WithoutPart: Sendable {
    let part: Absent?
    init(part: Absent?) { self.part = part }
  }

  final class Drawing: Sendable {
    let shapes: [any Shape]
    init(shapes: [any Shape]) { self.shapes = shapes }
  }

  final class Spares: Sendable {
    let parts: [String: Part]
    init(parts: [String: Part]) { self.parts = parts }
  }

  final class Shared: Sendable {
    let weight = 1
  }

  final class SharingInner: Sendable {
    let shared: Shared
    init(shared: Shared) { self.shared = shared }
  }

  final class Sharing: Sendable {
    /// The services of a call that resolves this one: itself and its two dependencies.
    static let services = 3

    let shared: Shared
    let inner: SharingInner
    init(shared: Shared, inner: SharingInner) {
      self.shared = shared
      self.inner = inner
    }
  }

  struct Settings: Sendable {
    static let port = 80
    let port: Int
  }

  /// A value of more words than most values have, such as the request of a server.
  struct Page: Sendable {
    static let number = 10
    let words = (1, 2, 3, 4, 5, 6, 7, 8, 9)
    let number = Page.number
  }

  final class Printed: Sendable {
    let number: Int
    init(page: Page) { number = page.number }
  }

  final class Loaded: Sendable { let weight = 1 }

  final class Session: Sendable { let weight = 1 }

  final class Connection: Sendable {
    let weight = 1
    @inline(never)
    func close() { _ = opaque(weight) }
  }

  struct Visit: Sendable { let number: Int }

  final class Transaction: Sendable {
    let visit: Visit
    init(visit: Visit) { self.visit = visit }
    @inline(never)
    func close() { _ = opaque(visit.number) }
  }

  final class Handler: Sendable {
    let transaction: Transaction
    let settings: Settings
    init(transaction: Transaction, settings: Settings) {
      self.transaction = transaction
      self.settings = settings
    }
  }
}
