public import Synchronization

// What happens when the read path found no kept instance. The first step is still specialised for the service's type:
// a plain transient is one call of its factory. All else goes to the general path in `Resolver+Make.swift`.
//
// These are functions of the container, and take the resolver apart: passed as a whole, it would be retained for the call,
// and threads that resolve from the same container would contend for its reference count.
extension Container {
  @inlinable
  @inline(never)
  nonisolated func make<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?
  ) throws -> sending Service {
    if found.isPlainTransient && frame == nil {
      return found.isSettled ? try callSettled(type, found) : try call(type, found)
    }
    let held = frame == nil ? found.holdWeakInstance(type) : 0
    if held != 0 { return found.takeHeld(type, at: held) }
    guard frame == nil else { return try makeGenerally(type, found, frame) }
    var binding: Binding?
    let instance = try makeImmediately(type, found, &binding, key: nil) { try $0.factory.makeInstance(type, $1) }
    if let instance { return Self.service(type, in: instance) }
    return try makeGenerally(type, binding)
  }

  @inlinable
  @inline(never)
  nonisolated func make<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: () -> Key, literal: UInt
  ) throws -> sending Service {
    if found.isPlainTransient && frame == nil {
      return found.isSettled ? try callSettled(type, found) : try call(type, found)
    }
    let held = frame == nil ? found.holdWeakInstance(type) : 0
    if held != 0 { return found.takeHeld(type, at: held) }
    let key = key()
    guard frame == nil else { return try makeGenerally(type, found, frame, key: key, literal: literal) }
    var binding: Binding?
    let instance = try makeImmediately(type, found, &binding, key: key, literal: literal) {
      try $0.factory.makeInstance(type, $1)
    }
    if let instance { return Self.service(type, in: instance) }
    return try makeGenerally(type, binding, key: key, literal: literal)
  }

  @inlinable
  @inline(never)
  nonisolated func makeAsync<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?
  ) async throws -> sending Service {
    if found.isPlainSynchronous && frame == nil {
      if found.isSettled { return try callSettledApart(type, found) }
      var incomplete: Binding?
      nonisolated(unsafe) let service = try callApart(type, found, &incomplete)
      guard let incomplete else { return unsafe service }
      return try await unsafe complete(service, of: incomplete)
    }
    let held = frame == nil ? found.holdWeakInstance(type) : 0
    if held != 0 { return found.takeHeld(type, at: held) }
    var binding: Binding?
    if frame == nil {
      let instance = try makeImmediately(type, found, &binding, key: nil) { try $0.factory.makeInstance(type, $1) }
      if let instance { return Self.service(type, in: instance) }
    } else {
      // The pin ends before the first suspension (R1).
      binding = found.retainBinding()
    }
    return try await Resolver(container: self, frame: frame).makeGenerally(type, binding, key: nil)
  }

  @inlinable
  @inline(never)
  nonisolated func makeAsync<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: () -> Key, literal: UInt
  ) async throws -> sending Service {
    if found.isPlainSynchronous && frame == nil {
      if found.isSettled { return try callSettledApart(type, found) }
      var incomplete: Binding?
      nonisolated(unsafe) let service = try callApart(type, found, &incomplete)
      guard let incomplete else { return unsafe service }
      return try await unsafe complete(service, of: incomplete)
    }
    let held = frame == nil ? found.holdWeakInstance(type) : 0
    if held != 0 { return found.takeHeld(type, at: held) }
    var binding: Binding?
    let key = key()
    if frame == nil {
      let instance = try makeImmediately(type, found, &binding, key: key, literal: literal) {
        try $0.factory.makeInstance(type, $1)
      }
      if let instance { return Self.service(type, in: instance) }
    } else {
      binding = found.retainBinding()
    }
    return try await Resolver(container: self, frame: frame)
      .makeGenerally(type, binding, key: key, literal: literal)
  }

  @inlinable
  @inline(__always)
  static func service<Service>(_ type: Service.Type, in instance: Instance) -> sending Service {
    // What is kept is Sendable: see ``Instance``.
    nonisolated(unsafe) let service = instance.value(as: type)
    return unsafe service
  }

  /// Calls the factory of a plain transient whose instances have nothing to do after it.
  @inlinable
  @inline(__always)
  nonisolated func callSettled<Service>(
    _ type: Service.Type, _ found: Lookup
  ) throws -> sending Service {
    let record = unsafe found.record
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    guard unsafe record.hasRoom(at: depth) && !record.contains(found.binding, below: depth) else {
      return try makeGenerally(type, found, nil)
    }
    // The slot takes over from the pin (R2): the factory may take as long as it likes.
    unsafe record.push(found.binding, at: depth)
    unsafe record.unpin()
    defer { unsafe record.pop(to: depth) }
    return try unsafe Binding.at(found.binding)
      ._withUnsafeGuaranteedRef { try $0.factory.make(type, Resolver(container: self)) }
  }

  // For asynchronous code: where it does not know the type, it looks up all that it might need for it when it begins.

  @inlinable
  @inline(never)
  nonisolated func callSettledApart<Service>(_ type: Service.Type, _ found: Lookup) throws -> sending Service {
    try callSettled(type, found)
  }

  @inlinable
  @inline(never)
  nonisolated func callApart<Service>(
    _ type: Service.Type, _ found: Lookup, _ incomplete: inout Binding?
  ) throws -> Service {
    try call(type, found, &incomplete)
  }

  /// Calls the factory of a plain transient each of whose instances has to be looked at, for a synchronous caller.
  @inlinable
  @inline(never)
  nonisolated func call<Service>(_ type: Service.Type, _ found: Lookup) throws -> sending Service {
    var incomplete: Binding?
    nonisolated(unsafe) let service = try call(type, found, &incomplete)
    if let incomplete { throw incomplete.needsAsynchronousCaller() }
    return unsafe service
  }

  /// As ``callSettled(_:_:)``, and looks at the instance.
  ///
  /// - Parameter incomplete: the binding, if there is more to do for the instance, which has to be waited for.
  @inlinable
  @inline(__always)
  nonisolated func call<Service>(
    _ type: Service.Type, _ found: Lookup, _ incomplete: inout Binding?
  ) throws -> Service {
    let record = unsafe found.record
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    guard unsafe record.hasRoom(at: depth) && !record.contains(found.binding, below: depth) else {
      return try makeGenerally(type, found, nil)
    }
    unsafe record.push(found.binding, at: depth)
    unsafe record.unpin()
    defer { unsafe record.pop(to: depth) }
    let binding = unsafe Binding.at(found.binding)
    let service = try unsafe binding._withUnsafeGuaranteedRef {
      try $0.factory.make(type, Resolver(container: self))
    }
    try unsafe binding._withUnsafeGuaranteedRef {
      if !$0.isKnownAsComplete(service), try !$0.settles(service, in: self) { incomplete = $0 }
    }
    return service
  }

  /// Goes on with a plain transient that its factory has made.
  @usableFromInline
  @inline(never)
  nonisolated func complete<Service>(
    _ service: Service, of binding: Binding
  ) async throws -> sending Service {
    nonisolated(unsafe) let completed = try await binding.completed(service, in: self)
    return unsafe completed
  }

  @usableFromInline
  @inline(never)
  nonisolated func makeGenerally<Service>(
    _ type: Service.Type, _ found: Binding?, key: Key? = nil, literal: UInt = 0
  ) throws -> sending Service {
    try Resolver(container: self).makeGenerally(type, found, key: key, literal: literal)
  }

  @usableFromInline
  @inline(never)
  nonisolated func makeGenerally<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: Key? = nil,
    literal: UInt = 0
  ) throws -> sending Service {
    try Resolver(container: self, frame: frame)
      .makeGenerally(type, found.retainBinding(), key: key, literal: literal)
  }
}

extension Lookup {
  /// Whether a synchronous resolve is one call of the factory.
  @inlinable
  @inline(__always)
  var isPlainTransient: Bool {
    guard binding != 0 else { return false }
    return unsafe Binding.at(binding)._withUnsafeGuaranteedRef {
      $0.isPlainTransient.load(ordering: .relaxed)
    }
  }

  /// Whether the instances of a plain transient need not be looked at; see ``DynamicTypeProbe``.
  @inlinable
  @inline(__always)
  var isSettled: Bool {
    unsafe Binding.at(binding)._withUnsafeGuaranteedRef {
      $0.completeType.load(ordering: .relaxed) == DynamicTypeProbe.settled
    }
  }

  /// Whether any resolve is one call of the factory.
  @inlinable
  @inline(__always)
  var isPlainSynchronous: Bool {
    guard binding != 0 else { return false }
    return unsafe Binding.at(binding)._withUnsafeGuaranteedRef {
      $0.isPlainSynchronous.load(ordering: .relaxed)
    }
  }
}

extension UnsafeMutablePointer<ThreadRecord> {
  /// Whether a binding's factory is running on this thread: to call it again would be a cycle.
  @inlinable
  @inline(__always)
  func contains(_ binding: UInt, below depth: Int) -> Bool {
    var slot = 0
    while slot < depth {
      if unsafe pointee.slots[slot].load(ordering: .relaxed) == binding { return true }
      slot &+= 1
    }
    return false
  }
}
