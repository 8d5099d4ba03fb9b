import ActorDITesting
import Foundation
import Testing

struct ManualValueTests {
  @Test func readersSeeTheValueThatTheTestSets() async {
    let date = ManualValue(Date(timeIntervalSince1970: 0))
    let read: @Sendable () -> Date = date.read
    #expect(read() == Date(timeIntervalSince1970: 0))
    date.value += 3600
    #expect(await Task.detached { read() }.value == Date(timeIntervalSince1970: 3600))
  }

  @Test func tasksReadAndSetTheValueAtOnce() async {
    let value = ManualValue([0])
    await withTaskGroup { group in
      for number in 1...100 {
        group.addTask {
          value.value = Array(repeating: number, count: number)
          let seen = value.read()
          #expect(seen.allSatisfy { $0 == seen.count })
        }
      }
    }
  }

  /// Reads a value when it is released.
  private final class Reader: Sendable {
    let read: @Sendable () -> Void
    init(_ read: @escaping @Sendable () -> Void) { self.read = read }
    deinit { read() }
  }

  @Test func theOldValueIsReleasedOutsideTheLock() {
    let (value, seen) = (ManualValue<Reader?>(nil), ManualValue(false))
    value.value = Reader { [weak value] in seen.value = value?.value == nil }
    value.value = nil
    #expect(seen.value)
  }
}
