/// The usual hand-written solution for a single thread: a dictionary of closures keyed by type, with cast results and no lock.
///
/// Not `Sendable`: each measuring thread makes its own.
final class PlainDictionary {
  typealias Factory = (PlainDictionary) -> Any

  private var factories: [ObjectIdentifier: Factory] = [:]

  func register<Service>(_ type: Service.Type, factory: @escaping Factory) {
    factories[ObjectIdentifier(type)] = factory
  }

  /// Returns the result of the type's closure: a new object, or the instance that the closure holds.
  func resolve<Service>(_ type: Service.Type = Service.self) -> Service {
    guard let service = factories[ObjectIdentifier(type)]?(self) as? Service else { missing(type) }
    return service
  }
}

extension Contender {
  /// Creates a baseline with one dictionary for each thread.
  ///
  /// - Parameters:
  ///   - make: Creates a filled dictionary.
  ///   - answer: Resolves once.
  ///   - body: Resolves the given number of times.
  static func plainDictionary(
    _ make: @escaping @Sendable () -> PlainDictionary,
    answer: @escaping @Sendable (PlainDictionary) -> Int,
    _ body: @escaping @Sendable (PlainDictionary, _ iterations: Int) -> Void
  ) -> Contender {
    Contender(
      name: ContenderName.unlocked, role: .baseline, answer: { answer(make()) },
      work: .own { load in
        let time = try ThreadTeam.run(threads: load.lane) { _ in body(make(), load.iterations) }
        return Sample(total: Double(time), operations: load.iterations * load.lane)
      })
  }
}
