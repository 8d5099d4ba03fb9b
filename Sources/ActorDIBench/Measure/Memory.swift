import CAllocationCounter

/// How much memory there is in use.
enum Memory {
  /// The bytes of the heap that are in use, in the whole process.
  static var live: Int { Int(allocator_live_bytes()) }

  static var obstacle: String? {
    allocator_live_bytes_available()
      ? nil : "not measurable here: bytes are counted on Linux with glibc, unsanitized"
  }

  /// Begins to look for the most memory the process has at a time.
  ///
  /// - Returns: whether the system lets it. Linux does.
  static func beginPeak() -> Bool {
    // 5: the peak is to be what is there now.
    SystemText.replace("/proc/self/clear_refs", with: "5")
  }

  /// The most physical memory that the process has had at a time since ``beginPeak()``, in bytes.
  static var peak: Int? {
    guard let status = SystemText.contents(of: "/proc/self/status"),
      let text = Environment.field("VmHWM", separator: ":", in: status),
      let kibibytes = text.split(separator: " ").first.flatMap({ Int($0) })
    else { return nil }
    return kibibytes * 1_024
  }
}
