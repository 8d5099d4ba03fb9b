/// The layout of labels next to each other.
enum Labels {
  /// Moves positions apart so that no two are closer than the gap. Each moves as little as possible, and their order stays the same.
  ///
  /// Neighbours that are too close form a cluster around the mean of the wanted positions, which may in turn touch the next one.
  ///
  /// - Parameters:
  ///   - range: The range for all positions. If there are too many, they extend beyond its upper bound.
  static func spread(_ wanted: [Double], gap: Double, within range: ClosedRange<Double>) -> [Double] {
    struct Cluster {
      var members: [Int]
      /// The sum of the members' wanted positions, each shifted to the start of the cluster.
      var wantedStarts: Double
      var start: Double
    }
    func place(_ cluster: inout Cluster) {
      let mean = cluster.wantedStarts / Double(cluster.members.count)
      let highest = range.upperBound - gap * Double(cluster.members.count - 1)
      cluster.start = max(range.lowerBound, min(mean, highest))
    }
    var clusters: [Cluster] = []
    for index in wanted.indices.sorted(by: { wanted[$0] < wanted[$1] }) {
      var cluster = Cluster(members: [index], wantedStarts: wanted[index], start: 0)
      place(&cluster)
      while let before = clusters.last, before.start + gap * Double(before.members.count) > cluster.start {
        clusters.removeLast()
        let shift = gap * Double(before.members.count * cluster.members.count)
        cluster.wantedStarts += before.wantedStarts - shift
        cluster.members = before.members + cluster.members
        place(&cluster)
      }
      clusters.append(cluster)
    }
    var places = wanted
    for cluster in clusters {
      for (offset, member) in cluster.members.enumerated() { places[member] = cluster.start + gap * Double(offset) }
    }
    return places
  }

  /// The labels along a line that can be shown without touching: the last, the first, and those that fit between.
  static func fitting(_ places: [(position: Double, width: Double)], gap: Double) -> Set<Int> {
    guard let last = places.indices.last else { return [] }
    var shown: Set<Int> = [last]
    var end = -Double.infinity
    let limit = places[last].position - places[last].width / 2 - gap
    for index in places.indices.dropLast() {
      let half = places[index].width / 2
      guard places[index].position - half >= end, places[index].position + half <= limit else { continue }
      shown.insert(index)
      end = places[index].position + half + gap
    }
    return shown
  }

  /// Wraps a text into lines of at most the given width. A single longer word gets a line of its own.
  static func wrapped(_ text: String, size: Double, width: Double) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let line = lines.last, Self.width(of: "\(line) \(word)", size: size) <= width {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The maximum width of a text in common screen fonts, at the given font size. An estimate, because the reader's fonts are unknown.
  static func width(of text: String, size: Double) -> Double {
    text.reduce(0) { sum, letter in
      switch letter {
      case "i", "l", "j", "t", "f", "r", ".", ",", ":", ";", "'", "|", "(", ")", " ": sum + 0.42
      case "m", "w", "M", "W": sum + 0.98
      case "A"..."Z", "+": sum + 0.76
      default: sum + 0.64
      }
    } * size
  }
}
