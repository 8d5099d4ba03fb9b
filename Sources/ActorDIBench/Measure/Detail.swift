/// The unit of a figure.
enum MeasuredUnit: String, Sendable {
  /// Nanoseconds per operation: wall time over the operations of all threads.
  case operation = "ns/op"
  /// Nanoseconds per round, in which every thread or task runs one operation.
  case round = "ns/round"
  /// Nanoseconds of single operations.
  case single = "ns"
  /// Heap allocations per operation.
  case allocations = "allocations/op"
  /// Changes of reference counts that threads share, per operation.
  case counts = "counts/op"
  /// System calls per operation.
  case systemCalls = "system calls/op"
  /// Waits of the thread per operation.
  case waits = "waits/op"
  case bytesPerOperation = "bytes/op"
  case bytes = "bytes"
  case steps = "steps/s"
  /// One figure over another of the same kind.
  case ratio = "×"

  var isTime: Bool {
    switch self {
    case .operation, .round, .single: true
    case .allocations, .counts, .systemCalls, .waits, .bytesPerOperation, .bytes, .steps, .ratio: false
    }
  }
}

/// An additional figure of a series. The cases are in the order of reporting.
enum Detail: String, CaseIterable, Sendable {
  /// The value that 99 of 100 single operations stay below.
  case percentile99 = "p99"
  case percentile999 = "p99.9"
  /// The number of times that the thread gave up its processor to wait.
  case waits = "waits"
  /// The growth of the live heap, per operation.
  case retained = "retained"
  /// The growth of the live heap after all operations of the repeat.
  case live = "live"
  /// The maximum of resident memory since the repeat began.
  case peak = "peak resident"
  /// The rate of the disturber, in scenarios that have one.
  case disturbance = "other task"

  var unit: MeasuredUnit {
    switch self {
    case .percentile99, .percentile999: .single
    case .waits: .waits
    case .retained: .bytesPerOperation
    case .live, .peak: .bytes
    case .disturbance: .steps
    }
  }

  /// The reason why this build cannot measure the detail, if it cannot.
  var obstacle: String? {
    switch self {
    case .retained, .live: Memory.obstacle
    case .percentile99, .percentile999, .waits, .peak, .disturbance: nil
    }
  }

  /// The figure of two batches of one sample together. The weights are the batches' totals.
  func merged(_ old: Double, weight: Double, with new: Double, weight newWeight: Double) -> Double {
    switch self {
    case .peak, .live:
      return max(old, new)
    case .percentile99, .percentile999, .waits, .retained, .disturbance:
      let sum = weight + newWeight
      return sum > 0 ? (old * weight + new * newWeight) / sum : new
    }
  }
}

extension Series {
  /// The median of a detail over the repeats.
  func median(of detail: Detail) -> Double? {
    details[detail].flatMap(Statistics.median)
  }
}
