import Testing

@testable import ActorDI

/// The edit distance of two spellings.
struct EditDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "abc", 3), ("same", "same", 0),
    ("Case", "cASE", 0), ("kitten", "sitting", 3), ("flaw", "lawn", 2),
    ("replica", "repilca", 2), ("replica", "replicas", 1), ("naïve", "naive", 1),
    ("abc", "xyz", 3),
  ])
  func theDistanceIsTheNumberOfChanges(left: String, right: String, distance: Int) {
    #expect(EditDistance.between(left, right) == distance)
    #expect(EditDistance.between(right, left) == distance)
  }

  @Test func theDistanceObeysBoundsAndTheTriangleInequality() {
    let words = ["", "a", "ab", "database", "data base", "dbatase", "store", "Storage"]
    for left in words {
      for right in words {
        let distance = EditDistance.between(left, right)
        #expect(distance >= abs(left.count - right.count))
        #expect(distance <= max(left.count, right.count))
        for middle in words {
          #expect(
            distance <= EditDistance.between(left, middle) + EditDistance.between(middle, right))
        }
      }
    }
  }
}
