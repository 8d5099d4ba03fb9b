internal import Synchronization

// The short way of an asynchronous resolve: where the instance is there, or a synchronous factory can make it now, there is nothing to
// suspend for, and neither frames nor asynchronous calls are needed. Most scoped services are built like that.
extension Resolver {
  /// The service, if it can be had at once; nil when the general path has to be taken.
  ///
  /// Only outside of any factory: there the chain is more than a thread's slots.
  @usableFromInline
  func makeImmediately<Service>(
    _ type: Service.Type, _ found: Binding?, key: Key?, literal: UInt = 0
  ) throws -> Service? {
    let record = unsafe ThreadRecordPointer.current
    guard frame == nil, OverrideLayer.active == nil,
      unsafe record.pointee.depth.load(ordering: .relaxed) == record.pointee.base,
      !container.lifecycle.isClosed, ResolutionFrame.ofCurrentTask == nil,
      let located = located(found, ServiceIdentity(type, key: key), literal: literal)
    else { return nil }
    defer { withExtendedLifetime(located) {} }
    let typed = unsafe unsafeDowncast(located.binding, to: ServiceBinding<Service>.self)
    var isNew = false
    guard let service = try typed.immediateInstance(for: self, &isNew) else { return nil }
    if !isNew, located.container !== container { typed.standIn(in: container) }
    return service
  }
}

extension ServiceBinding {
  /// The instance that is kept, or that can be made and kept now, without waiting for anybody.
  ///
  /// - Parameter isNew: whether it was made now.
  fileprivate func immediateInstance(for resolver: Resolver, _ isNew: inout Bool) throws -> Service? {
    guard descriptor.scope.isKept, !descriptor.scope.isWeak, inheriting == nil else { return nil }
    let record = unsafe ThreadRecordPointer.current
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    guard unsafe record.hasRoom(at: depth) else { return nil }
    unsafe record.push(address, at: depth)
    defer { unsafe record.pop(to: depth) }
    let chain = unsafe record.chain(below: depth)
    guard let cell = try cell(in: ResolutionGraph(), asking: resolver.container, for: nil, chain)
    else { return nil }
    do {
      // A build that is told of is left to the general path.
      let canBuild = synchrony == .synchronous && observation(for: resolver) == nil
      switch cell.arriveImmediately(canBuild: canBuild) {
      case .value(let instance): return service(in: instance)
      case .build(let attempt):
        isNew = true
        let instance = try cell.build(attempt, for: chain) { attempt in
          let inner = Resolver(container: container(for: resolver))
          return try unsafe record.building(attempt, keeping: descriptor.scope.isKept) {
            if pool == nil { return try buildSynchronously(make, inner, attempt) }
            return try lent(to: resolver.container, attempt) {
              try buildSynchronously(make, inner, attempt)
            }
          }
        }
        return service(in: instance)
      case .closed: throw ResolutionError.closed(identity, chain, in: resolver.container)
      case .start, .wait, .asyncRequired, .retired, nil: return nil
      }
    } catch is OnceCell.SuspensionNeeded {
      // What was made is kept aside, for the general path to go on with.
      return nil
    } catch is PrimaryIsGone {
      return nil
    }
  }
}
