/// Where and how a once cell keeps its instances.
///
/// All functions except `readClock` are called under the cell's lock, so they run no user code and release nothing. They return the
/// dropped instances, which the caller releases after the lock.
///
/// | | strong | weak | graph |
/// | --- | --- | --- | --- |
/// | instances that it keeps, unless they expire at once | all | objects | all |
/// | place with a holder | the holder, and those of its aliases | the holder, as a ``WeakBox`` | the holder |
/// | place without a holder | the cell, strongly | the cell, weakly | the cell, strongly |
/// | place after the end of the call | | | the cell, weakly |
/// | ``take(_:)`` from a holder | to retire | to retire | to release, since no reader takes it under a pin |
struct InstanceStorage: Sendable {
  /// How an instance is kept, depending on its scope.
  enum Retention {
    /// Strongly. In a holder, readers find it with one load.
    case strong
    case weak
    /// Strongly during the call tree, and weakly afterwards.
    ///
    /// After the call, a ``Lazy`` created in it still finds the instances that other objects of the call hold. The graph does not
    /// retain them for the lazy: an instance that holds the lazy, which holds the graph, would form a reference cycle.
    case graph
  }

  /// The cell's own places for an instance. Part of the state that its lock guards.
  struct OwnPlaces {
    fileprivate var strong: Instance?
    fileprivate var weak: WeakBox?
  }

  private let retention: Retention
  /// The expiry of the instances; nil without a time to live.
  let expiry: Expiry?

  /// The holder that the storage writes to; nil if there is none.
  ///
  /// Unowned, because the holder owns the cell. A build in flight keeps the holder alive, also while it is held (G1).
  unowned(unsafe) private let unheld: InstanceHolder?
  var holder: InstanceHolder? { unsafe unheld }

  init(_ retention: Retention, in holder: InstanceHolder? = nil, until expiry: Expiry? = nil) {
    self.retention = retention
    unsafe unheld = holder
    self.expiry = expiry
  }

  /// Reads the clock, which may be user code. Call before taking the cell's lock; the functions called under the lock use that
  /// reading.
  func readClock() { expiry?.readClock() }

  /// Returns the instance; nil if there is none, or if it has expired.
  func load(_ own: OwnPlaces) -> Instance? {
    if let expiry, expiry.isOver { return nil }
    return holder?.current ?? own.strong ?? own.weak?.instance
  }

  /// Whether a call tree keeps the instance. An uncontended build notes no requests for such an instance.
  var isKeptByCall: Bool { retention == .graph }

  /// Whether the scope keeps instances of this kind.
  ///
  /// - Parameter life: That of the instance; nil without a time to live.
  func keeps(_ instance: Instance, with life: Life?) -> Bool {
    life?.isOver != true && (retention != .weak || instance.object != nil)
  }

  /// Keeps the instance.
  ///
  /// - Parameter life: That of the instance; nil without a time to live.
  /// - Returns: What was kept before.
  func store(_ product: Product, with life: Life?, _ own: inout OwnPlaces) -> [DroppedReference] {
    guard let expiry else { return store(product, &own) }
    return expiry.replace(by: life) + store(product, &own)
  }

  private func store(_ product: Product, _ own: inout OwnPlaces) -> [DroppedReference] {
    if retention == .weak {
      let box = WeakBox(product.instance)
      if let holder { return holder.showWeakly(box) }
      own.weak = box
      return []
    }
    guard let holder else { return keep(product.instance, &own) }
    return holder.show(product.instance) + product.aliased.flatMap { $0.holder.show($0.instance) }
  }

  /// Forgets the instance, and returns it.
  func take(_ own: inout OwnPlaces) -> [DroppedReference] {
    guard let expiry else { return takeInstance(&own) }
    return expiry.replace(by: nil) + takeInstance(&own)
  }

  private func takeInstance(_ own: inout OwnPlaces) -> [DroppedReference] {
    own.weak = nil
    guard let holder else { return keep(nil, &own) }
    if retention == .graph { return holder.takeShown().map { [.owned($0)] } ?? [] }
    return holder.show(nil) + holder.shownBy.flatMap { $0.show(nil) }
  }

  /// Drops the strong reference, because the call tree has ended. From now on, the instance is kept weakly.
  func endCall(_ own: inout OwnPlaces) -> [DroppedReference] {
    guard let instance = holder?.current ?? own.strong else { return [] }
    let dropped = take(&own)
    own.weak = WeakBox(instance)
    return dropped
  }

  private func keep(_ new: Instance?, _ own: inout OwnPlaces) -> [DroppedReference] {
    exchange(&own.strong, with: new).map { [.owned($0)] } ?? []
  }
}
