// The recipe of a binding whose dependencies inherit a key.
extension Binding {
  /// The recipe that looks up dependencies under a key first; nil if the registration does not inherit keys.
  func recipeInheriting(_ key: Key?) -> Recipe? {
    guard let key, descriptor.traits.contains(.inheritsKey) else { return nil }
    return descriptor.inheriting?(key)
  }
}
