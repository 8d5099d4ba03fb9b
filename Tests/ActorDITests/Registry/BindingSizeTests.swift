import Testing

@testable import ActorDI

/// A large registry has a hundred thousand of them. A field more may cost each 16 bytes, and is better put among the extras.
@Suite("What a registration takes")
struct BindingSizeTests {
  @Test func parts() {
    #expect(MemoryLayout<Scope>.size <= MemoryLayout<UInt>.size)
    #expect(MemoryLayout<ServiceIdentity>.size <= 4 * MemoryLayout<UInt>.size)
    #expect(MemoryLayout<Descriptor>.size <= 76)
    #expect(MemoryLayout<Settlement>.size <= 20)
    #expect(MemoryLayout<Registration<Int>>.size == MemoryLayout<UInt>.size)
    #expect(MemoryLayout<Registrations>.size == MemoryLayout<UInt>.size)
  }

  @Test func aBinding() throws {
    let container = Container { Registration(Int.self) { _ in 1 } }
    let binding = try #require(container.locate(ServiceIdentity(Int.self))).binding
    // The size of its instances stands in the metadata of a class, behind kind, superclass and, where there is one, Objective-C's own.
    #if os(Linux)
      let metadata = unsafe unsafeBitCast(type(of: binding), to: UnsafeRawPointer.self)
      let size = unsafe metadata.load(fromByteOffset: 6 * MemoryLayout<UInt32>.size, as: UInt32.self)
      #expect(size <= 168, "\(size) bytes")
      #expect(size >= 100, "\(size) bytes: that is not the place")
    #else
      _ = binding
    #endif
  }
}
