extension ElementList {
  /// Makes the instances of the elements for a synchronous caller.
  ///
  /// - Throws: `BindingIsGone` if a registration has been removed.
  func members<Member>(_ resolver: Resolver, _ arguments: Arguments?) throws -> [Member] {
    // The initialiser below would write the count of the standard library's one empty array, which all threads share.
    if count == 0 { return [] }
    return try unsafe [Member](unsafeUninitializedCapacity: count) { members, made in
      while made < count {
        let place = unsafe ServiceMemory(UnsafeMutableRawPointer(members.baseAddress.unsafelyUnwrapped + made))
        try bindings[made].borrow { try $0.writeInstanceBehind(resolver, arguments, to: place) }
        made += 1
      }
    }
  }

  /// Makes the instances of the elements for a caller that can suspend.
  ///
  /// - Throws: `BindingIsGone` if a registration has been removed.
  func members<Member>(_ resolver: Resolver, _ arguments: Arguments?) async throws -> [Member] {
    var members: [Member] = []
    members.reserveCapacity(count)
    for index in bindings.indices {
      let member = try await bindings[index].object.instanceBehind(as: Member.self, resolver, with: arguments)
      members.append(member)
    }
    return members
  }
}
