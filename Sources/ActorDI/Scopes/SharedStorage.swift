/// Keeps the instance only as long as somebody else does.
///
/// `@unchecked Sendable` because it is used under its cell's lock only.
@safe
final class SharedStorage<Service>: InstanceStorage, @unchecked Sendable {
  private weak var object: AnyObject?

  /// The bits of the service as it was built, without ownership. An existential is more than its object, and rebuilding
  /// it by a dynamic cast costs several times the weak load. They are only read while `object` is held strongly.
  private let bits = UnsafeMutablePointer<Service>.allocate(capacity: 1)

  deinit { unsafe bits.deallocate() }

  func keeps(_ product: Product) -> Bool {
    Self.object(of: Self.value(of: product)) != nil
  }

  func load() -> Instance? {
    guard let object else { return nil }
    // Copying the bits retains the object, which is alive until after the copy.
    let value = withExtendedLifetime(object) { unsafe bits.pointee }
    return Instance(object: Box(value))
  }

  func store(_ product: Product) -> [DroppedInstance] {
    let value = Self.value(of: product)
    object = Self.object(of: value)
    unsafe withUnsafePointer(to: value) { source in
      unsafe UnsafeMutableRawPointer(bits).copyMemory(
        from: source, byteCount: MemoryLayout<Service>.size)
    }
    return []
  }

  func take() -> [DroppedInstance] {
    object = nil
    return []
  }

  private static func value(of product: Product) -> Service {
    unsafe unsafeDowncast(product.instance.object, to: Box<Service>.self).value
  }

  /// The object that a service is: of a class type, or an existential that holds a class instance. Nil for a value.
  private static func object(of value: Service) -> AnyObject? {
    guard type(of: value as Any) is AnyClass else { return nil }
    return value as AnyObject
  }
}
