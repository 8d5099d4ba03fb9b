// Forms that only a mistake fits. The compiler shows their messages where it would otherwise say that it failed to produce a diagnostic, or
// suggest another label. The type checker ranks an unavailable form below all others, so a correct program never gets one.
extension Resolving {
  /// The form of `resolve` without a type where the context states none.
  @_disfavoredOverload
  @available(*, unavailable, message: "name the service: resolve(T.self)")
  public func resolve() throws -> Never { fatalError() }

  /// The form of `resolve` with a key and without a type where the context states none.
  @_disfavoredOverload
  @available(*, unavailable, message: "name the service: resolve(T.self, key: …)")
  public func resolve(key: some Hashable & Sendable) throws -> Never { fatalError() }

  /// The form of `resolve` with a token in place of a key.
  @_disfavoredOverload
  @available(*, unavailable, message: "a token needs no type and no label: resolve(.token)")
  public func resolve<Service>(_ type: Service.Type = Service.self, key: ServiceKey<Service>) throws -> Service {
    fatalError()
  }

  /// The form of `resolve` with the label of other containers for a single argument.
  @_disfavoredOverload
  @available(*, unavailable, message: "the label is 'arguments:', for one argument, too")
  public func resolve<Service>(_ type: Service.Type = Service.self, argument: some Sendable) throws -> Service {
    fatalError()
  }
}
