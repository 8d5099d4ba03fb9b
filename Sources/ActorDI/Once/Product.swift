/// The result of a build: the instance, and the same instance as the type of each alias.
struct Product: Sendable {
  let instance: Instance
  var aliased: [Aliased] = []

  /// The instance as the type of an alias.
  struct Aliased: Sendable {
    /// The alias, which shows the instance.
    let holder: InstanceHolder
    let instance: Instance
  }
}
