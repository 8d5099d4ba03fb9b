/// The frames of the asynchronous builds in flight whose instances are not kept, of all containers.
///
/// There are several lists, each with a lock, so that few threads write a common cache line. They belong to no container, since a scope would
/// pay for lists of its own.
enum FramesInFlight {
  private static let lists = Sharded<Lock<UnheldList<ResolutionFrame>>>()

  /// Lists a frame. The caller keeps it alive until ``remove(_:)``.
  static func add(_ frame: ResolutionFrame) {
    let index = ThreadRecordPointer.current.pointee.shard
    unsafe frame.shard = index
    lists.borrow(at: index, orMake: { Lock(UnheldList()) }) { list in list.withLock { $0.append(frame) } }
  }

  static func remove(_ frame: ResolutionFrame) {
    _ = lists.borrow(at: unsafe frame.shard) { list in list.withLock { $0.remove(frame) } }
  }

  /// The services that are made with a container's registrations. An alias or a choice makes none.
  static func services(of container: Container) -> [ServiceIdentity] {
    // Loaded under the locks, because a frame is certain to be alive only while it is listed.
    let frames = lists.map { list in list.withLock { $0.all } }.flatMap { $0 }
    return frames.filter { $0.container === container }.compactMap(\.service).filter { !$0.isIndirect }.map(\.identity)
  }
}
