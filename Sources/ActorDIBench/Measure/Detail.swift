/// What a figure counts.
enum MeasuredUnit: String, Sendable {
  /// Nanoseconds per operation: wall time over the operations of all threads.
  case operation = "ns/op"
  /// Nanoseconds per round, in which every thread or task does one operation.
  case round = "ns/round"
  /// Nanoseconds that single operations took.
  case single = "ns"
  /// Heap allocations per operation.
  case allocations = "allocations/op"
  /// System calls per operation.
  case systemCalls = "system calls/op"
  /// How often the thread waited, per operation.
  case waits = "waits/op"
  case bytesPerOperation = "bytes/op"
  case bytes = "bytes"
  case steps = "steps/s"
  /// One figure over another of the same kind.
  case ratio = "×"

  var isTime: Bool {
    switch self {
    case .operation, .round, .single: true
    case .allocations, .systemCalls, .waits, .bytesPerOperation, .bytes, .steps, .ratio: false
    }
  }
}

/// What may be told of a series beside its own figure, in the order in which it is told.
enum Detail: String, CaseIterable, Sendable {
  /// What 99 of 100 single operations stay below.
  case percentile99 = "p99"
  case percentile999 = "p99.9"
  /// How often the thread gave up its processor to wait.
  case waits = "waits"
  /// Live heap per operation that was not there before.
  case retained = "retained"
  /// Live heap after all operations of the repeat, over what was there before.
  case live = "live"
  /// The most memory that the process had at a time, since the repeat began.
  case peak = "peak resident"
  /// What else went on meanwhile, in scenarios with a disturber.
  case disturbance = "beside"

  var unit: MeasuredUnit {
    switch self {
    case .percentile99, .percentile999: .single
    case .waits: .waits
    case .retained: .bytesPerOperation
    case .live, .peak: .bytes
    case .disturbance: .steps
    }
  }

  /// Why it cannot be measured in this build, if it cannot.
  var obstacle: String? {
    switch self {
    case .retained, .live: Memory.obstacle
    case .percentile99, .percentile999, .waits, .peak, .disturbance: nil
    }
  }

  /// The figure of two batches of one sample together; their weights are what they count for.
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
  /// Of what was counted beside the figure, over the repeats.
  func median(of detail: Detail) -> Double? {
    details[detail].flatMap(Statistics.median)
  }
}
