internal import Synchronization

/// The number of elements of each ``Sharded``.
var shardCount: Int { 8 }

/// A value for each of a few groups of threads, made on demand, so that few threads write a common cache line.
///
/// `@unchecked Sendable` because the memory does not change once it is published, and threads share its `Sendable` elements only.
struct Sharded<Element: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
  private struct Shard: ~Copyable {
    let element: Element
    // Keeps the next shard out of this one's pair of cache lines.
    private let padding: (SIMD8<UInt64>, SIMD8<UInt64>) = (.zero, .zero)
  }

  /// The address of the shards; 0 before the first use.
  ///
  /// Aligned memory rather than an object: an object might share a cache line with others that its thread makes and frees
  /// all the time. Other threads would wait for that line.
  private let address = Atomic<UInt>(0)

  // Sequentially consistent, like the exchange that publishes them: a thread that finds none has come before their first use.
  private var shards: UnsafeMutablePointer<Shard>? {
    unsafe UnsafeMutablePointer(bitPattern: address.load(ordering: .sequentiallyConsistent))
  }

  /// Whether the elements have been made.
  var isMade: Bool { unsafe shards != nil }

  // Not inlined: the frame of this cold function would become part of each caller, on the path of a scope.
  @inline(never)
  private func makeShards(_ make: () -> Element) -> UnsafeMutablePointer<Shard> {
    let byteCount = shardCount * MemoryLayout<Shard>.stride
    let new = unsafe UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 128)
      .bindMemory(to: Shard.self, capacity: shardCount)
    for index in 0..<shardCount { unsafe (new + index).initialize(to: Shard(element: make())) }
    let isFirst = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new), ordering: .sequentiallyConsistent
    ).exchanged
    if isFirst { return unsafe new }
    unsafe Self.free(new)
    return unsafe shards.unsafelyUnwrapped
  }

  private static func free(_ shards: UnsafeMutablePointer<Shard>) {
    unsafe shards.deinitialize(count: shardCount)
    unsafe shards.deallocate()
  }

  deinit {
    if let shards = unsafe shards { unsafe Self.free(shards) }
  }

  // The next two are inlined, so that the functions passed to them borrow what they capture. A scope would otherwise count a reference
  // to its parent's lifecycle, which its siblings share.

  /// Calls a function with one element.
  ///
  /// - Parameters:
  ///   - index: A number below ``shardCount``.
  ///   - make: Makes each element, at the first use of any.
  @inline(__always)
  func borrow<Result>(at index: Int, orMake make: () -> Element, _ body: (borrowing Element) -> Result) -> Result {
    let shards = unsafe shards ?? makeShards(make)
    return unsafe body(shards[index].element)
  }

  /// Calls a function with one element; returns nil if there are none yet.
  @inline(__always)
  func borrow<Result>(at index: Int, _ body: (borrowing Element) -> Result?) -> Result? {
    guard let shards = unsafe shards else { return nil }
    return unsafe body(shards[index].element)
  }

  /// Calls a function with each element, if there are any, and returns the results.
  func map<Result>(_ body: (borrowing Element) -> Result) -> [Result] {
    guard let shards = unsafe shards else { return [] }
    return (0..<shardCount).map { index in unsafe body(shards[index].element) }
  }
}
