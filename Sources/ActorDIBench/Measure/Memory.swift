import CAllocationCounter

/// The memory in use.
enum Memory {
  /// The live bytes of the heap of the whole process.
  static var live: Int { Int(allocator_live_bytes()) }

  static var obstacle: String? {
    allocator_live_bytes_available()
      ? nil : "not measurable here: counting bytes requires Linux with glibc, without sanitizers"
  }

  /// Starts to measure the peak of resident memory.
  ///
  /// - Returns: Whether the system supports it, as Linux does.
  static func beginPeak() -> Bool {
    // 5 resets the peak to the current value.
    SystemText.replace("/proc/self/clear_refs", with: "5")
  }

  /// The peak of resident memory since ``beginPeak()``, in bytes.
  static var peak: Int? {
    guard let status = SystemText.contents(of: "/proc/self/status"),
      let text = Environment.field("VmHWM", separator: ":", in: status),
      let kibibytes = text.split(separator: " ").first.flatMap({ Int($0) })
    else { return nil }
    return kibibytes * 1_024
  }
}
