import CReferenceCounter

/// Counts the changes of reference counts that several threads share.
///
/// Two threads that change one object's count wait for each other at each change, however many cores there are. The count is the same on
/// every machine.
enum ReferenceCount {
  /// An object whose reference count two threads change.
  struct SharedObject: Equatable, Sendable {
    let type: String
    /// The number of retains and releases per operation.
    let changes: Double
  }

  /// The reason why a count cannot be trusted: the operations leave too many objects behind, or there is no memory for their table.
  struct Overflow: Error, CustomStringConvertible {
    var description: String { "the reference counter has no room for all objects of the operations" }
  }

  /// The number of operations before the count begins, which absorb one-time changes.
  private static let warmUp = 64
  /// The changes per operation below which an object belongs to the loop around the operations.
  private static let leastChanges = 0.05

  /// The reason why this process cannot count references; nil if it can. A counter that counted nothing would meet every bound of none.
  static let obstacle: String? = {
    guard reference_counter_available() else {
      return "not measurable here: counting references requires Linux on x86-64 or arm64"
    }
    return countsKnownChange ? nil : "not measurable here: the counter misses a known change"
  }()

  private static var countsKnownChange: Bool {
    guard let tables = try? [Table(), Table()] else { return false }
    let object = Known()
    for table in tables {
      unsafe reference_counter_begin(table.address)
      retainAndRelease(object)
      reference_counter_end()
    }
    // By address, since the name of a private type is printed in two forms.
    let type = UInt(bitPattern: ObjectIdentifier(Known.self))
    return (try? tables[0].shared(with: tables[1]))?.contains { $0.type == type } ?? false
  }

  private final class Known: Sendable {}

  /// Runs the body on two threads, one after the other, and finds the objects whose counts both have changed.
  ///
  /// Both threads live until the end. Otherwise the second thread could reuse the first one's memory, and their own objects would look
  /// like shared ones.
  ///
  /// - Parameter body: Runs the given number of operations.
  /// - Returns: The shared objects, the one with the most changes first.
  static func sharedObjects(
    operations: Int, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> [SharedObject] {
    let tables = try [Table(), Table()]
    try await ThreadExecutor.withExecutors(tables.count) { executors in
      for (table, executor) in zip(tables, executors) {
        try await Task(executorPreference: executor) {
          try await body(warmUp)
          unsafe reference_counter_begin(table.address)
          defer { reference_counter_end() }
          try await body(operations)
        }.value
      }
    }
    let least = leastChanges * Double(operations)
    return try tables[0].shared(with: tables[1])
      .filter { Double($0.changes) >= least }
      .sorted { $0.changes > $1.changes }
      .map { SharedObject(type: typeName($0.type), changes: Double($0.changes) / Double(operations)) }
  }

  /// The name of a type by the first word of its objects.
  private static func typeName(_ word: UInt) -> String {
    guard let metadata = unsafe UnsafePointer<UInt>(bitPattern: word) else { return "unknown type" }
    // The runtime numbers the kinds of objects that are not instances of a class.
    switch unsafe metadata.pointee {
    case 0x400, 0x500: return "closure context or box"
    case 0x501: return "error"
    case 0x502: return "task"
    case 0x503: return "job"
    default: return unsafe String(describing: unsafeBitCast(metadata, to: Any.Type.self))
    }
  }

  /// The changes that one thread has counted.
  ///
  /// Marked `@unchecked Sendable` and `@safe` because one thread at a time uses the table, and the address stays valid during the life of
  /// the object.
  @safe
  private final class Table: @unchecked Sendable {
    let address: OpaquePointer

    init() throws {
      guard let address = unsafe reference_table_create() else { throw Overflow() }
      unsafe self.address = address
    }

    deinit { unsafe reference_table_destroy(address) }

    /// The changes of the objects that the other table contains, too.
    ///
    /// - Throws: ``Overflow`` if a table was too small.
    func shared(with other: Table) throws -> [reference_changes] {
      guard unsafe !reference_table_overflowed(address), unsafe !reference_table_overflowed(other.address)
      else { throw Overflow() }
      let count = unsafe reference_table_shared(address, other.address, nil, 0)
      return unsafe [reference_changes](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = unsafe min(count, reference_table_shared(address, other.address, buffer.baseAddress, count))
      }
    }
  }
}

/// Retains the object for a call, which the optimiser cannot remove.
@inline(never) @_optimize(none)
func retainAndRelease(_ object: AnyObject) {
  let kept = [object]
  withExtendedLifetime(kept) {}
}
