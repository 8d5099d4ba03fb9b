/// Suggests corrections for misspelled names.
enum Nearest {
  /// A hint with the nearest candidate if one is close enough, or else with all of them.
  static func hint(_ text: String, among candidates: [String], all: [String]) -> String {
    hint(text, among: candidates, otherwise: "one of \(all.joined(separator: ", "))")
  }

  /// A hint with the nearest candidate if one is close enough, or else the given text.
  static func hint(
    _ text: String, among candidates: [String], otherwise: String
  ) -> String {
    match(text, among: candidates).map { "did you mean \($0)?" } ?? otherwise
  }

  /// The candidate with the smallest distance, if that is at most a third of its length. Two letters are always allowed except in the
  /// shortest names, because swapping two letters counts twice.
  static func match(_ text: String, among candidates: [String]) -> String? {
    let lowered = text.lowercased()
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(lowered, candidate.lowercased())
      guard distance <= max(candidate.count > 3 ? 2 : 1, candidate.count / 3) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The number of letters to insert, delete or replace to turn one text into the other.
  ///
  /// - Complexity: O(*n* × *m*).
  static func distance(_ one: String, _ other: String) -> Int {
    let one = Array(one)
    let other = Array(other)
    var row = Array(0...other.count)
    for (line, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in other.indices {
        let replaced = diagonal + (letter == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
