import Testing

@testable import ActorDI

/// A large registry has a hundred thousand bindings. Another field may cost each of them 16 bytes, so rarely used fields belong
/// in the extras.
@Suite("Memory of a registration")
struct BindingSizeTests {
  @Test func thePartsOfABindingStaySmall() {
    #expect(MemoryLayout<Scope>.size <= MemoryLayout<UInt>.size)
    #expect(MemoryLayout<ServiceIdentity>.size <= 4 * MemoryLayout<UInt>.size)
    #expect(MemoryLayout<Descriptor>.size <= 76)
    #expect(MemoryLayout<DerivedTraits>.size <= 20)
    #expect(MemoryLayout<Registration<Int>>.size == MemoryLayout<UInt>.size)
    #expect(MemoryLayout<Registrations>.size == MemoryLayout<UInt>.size)
  }

  @Test func aBindingStaysSmall() throws {
    let container = Container { Registration(Int.self) { _ in 1 } }
    let binding = try #require(container.locate(ServiceIdentity(Int.self))).binding
    // A class's metadata contains the size of its instances, after the kind, the superclass and, on Apple platforms,
    // Objective-C's fields.
    #if os(Linux)
      let metadata = unsafe unsafeBitCast(type(of: binding), to: UnsafeRawPointer.self)
      let size = unsafe metadata.load(fromByteOffset: 6 * MemoryLayout<UInt32>.size, as: UInt32.self)
      #expect(size <= 168, "\(size) bytes")
      #expect(size >= 100, "\(size) bytes: the metadata has another layout")
    #else
      _ = binding
    #endif
  }
}
