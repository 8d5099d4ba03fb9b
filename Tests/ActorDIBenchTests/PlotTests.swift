import Testing

@testable import ActorDIBench

@Suite("Plots")
struct PlotTests {
  static func plot(lines: Int, from lowest: Double, factor: Double, axis: [Double] = [1, 2, 4, 8]) -> Plot {
    Plot(
      scenario: "s", title: "A title with <angles> & \"quotes\"", measure: "nanoseconds: less is better",
      axis: "threads",
      lines: (0..<lines).map { index in
        let roles: [Contender.Role] = [.floor, .baseline, .container, .container, .container, .container]
        var height = lowest
        for _ in 0..<index { height *= factor }
        return Plot.Line(
          name: "contender <\(index)>", role: roles[index % 6],
          points: axis.map { Plot.Point(x: $0, y: height, lower: height * 0.9, upper: height * 1.1) })
      })
  }

  /// Drawings whose lines are equal, close, or spread over more than three decades, for threads and for up to a hundred
  /// thousand registrations.
  static let plots = [1, 3, 6].flatMap { lines in
    [1, 1.05, 6].map { plot(lines: lines, from: 12, factor: $0) }
      + [plot(lines: lines, from: 0.2, factor: 9, axis: [10, 100, 1_000, 10_000, 100_000])]
  }

  @Test("A drawing is well-formed, with a name and a description for who does not see it", arguments: plots)
  func wellFormed(plot: Plot) throws {
    let elements = try XMLCheck.elements(PlotDrawing(plot).svg)
    #expect(elements.first?.name == "svg")
    #expect(elements.first?.attributes["role"] == "img")
    #expect(elements.first?.attributes["aria-labelledby"] == "title desc")
    #expect(elements.first { $0.name == "title" }?.text.contains("<angles> & \"quotes\"") == true)
    #expect(elements.first { $0.name == "desc" }?.text.contains("contender <0>") == true)
    #expect(elements.count { $0.name == "polyline" } == plot.lines.count)
  }

  @Test("The colours are for light pages, for dark ones, and for readers that know of neither")
  func colours() throws {
    let style = try #require(XMLCheck.elements(PlotDrawing(Self.plots[0]).svg).first { $0.name == "style" }?.text)
    let parts = style.split(separator: "@media (prefers-color-scheme: ")
    #expect(parts.count == 3)
    for part in parts { #expect(part.contains(".s0 { stroke: #")) }
    #expect(style.count { $0 == "{" } == style.count { $0 == "}" })
  }

  @Test("No text touches another, and none is cut off", arguments: plots)
  func apart(plot: Plot) throws {
    let elements = try XMLCheck.elements(PlotDrawing(plot).svg)
    func number(_ element: XMLCheck.Element, _ name: String) -> Double {
      Double(element.attributes[name] ?? "") ?? .nan
    }
    let drawing = try #require(elements.first)
    let boxes = elements.filter { $0.name == "text" }.map { text in
      let width = Labels.width(of: text.text, size: text.attributes["class"] == "title" ? 18 : 13)
      let start =
        number(text, "x")
        - (text.attributes["text-anchor"] == "end" ? width : text.attributes["text-anchor"] == "middle" ? width / 2 : 0)
      return (left: start, right: start + width, top: number(text, "y") - 12, bottom: number(text, "y") + 3)
    }
    #expect(boxes.count > plot.lines.count + 3)
    for (index, box) in boxes.enumerated() {
      #expect(box.left >= 0 && box.right <= number(drawing, "width"))
      #expect(box.top >= 0 && box.bottom <= number(drawing, "height"))
      for other in boxes[(index + 1)...] {
        let isApart =
          box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top
        #expect(isApart)
      }
    }
  }

  @Test("A plot has the throughput of what threads do, without probes, and nothing of what has one lane")
  func ofResults() throws {
    var results = Results()
    results.merge([
      .time(WarmSingleton.name, ContenderName.staticLet, .floor, [10, 10]),
      .time(WarmSingleton.name, ContenderName.staticLet, .floor, [20, 20], lane: 2),
      .time(WarmSingleton.name, "a probe", .probe, [1, 1]),
      .time(WarmSingleton.name, "a probe", .probe, [1, 1], lane: 2),
      .time(WarmSingleton.name, "in one lane", .container, [1, 1]),
      .time(Keyed.name, ContenderName.token, .container, [11, 11]),
    ])
    let plots = Plot.all(in: results)
    #expect(plots.map(\.fileName) == ["warm-singleton.svg"])
    #expect(plots.first?.lines.map(\.name) == [ContenderName.staticLet])
    #expect(plots.first?.lines.first?.points.map(\.y) == [100, 50])
    #expect(plots.first?.axis == "threads")
    #expect(plots.first?.measure.contains("more is better") == true)
    #expect(plots.first?.description.contains("At 2 threads: static let (floor F) 50.0.") == true)
  }
}

@Suite("Scales and labels")
struct ScaleTests {
  @Test(
    "Ticks are few and round, and the values lie between them",
    arguments: [[12, 30], [1], [0.4, 3], [0.004, 70], [15, 4_800], [1, 1_000_000], [99, 101]] as [[Double]])
  func heights(values: [Double]) throws {
    let scale = Scale.heights(values)
    #expect((2...8).contains(scale.ticks.count))
    for value in values { #expect((0...1).contains(scale.share(of: value))) }
    for tick in scale.ticks {
      #expect((-0.001...1.001).contains(scale.share(of: tick)))
      if tick > 0, scale.isLogarithmic { #expect(Scale.rounded(tick, up: true) / tick < 1.001) }
    }
    #expect(scale.isLogarithmic == ((values.max() ?? 1) / (values.min() ?? 1) > 20))
  }

  @Test("Without anything to show there is still an axis")
  func nothing() {
    #expect(Scale.heights([]).ticks == [0, 1])
    #expect(Scale.heights([0, 0]).ticks == [0, 1])
  }

  @Test("Counts are their own ticks")
  func counts() {
    #expect(Scale.counts([4, 1, 2, 4]).ticks == [1, 2, 4])
    #expect(Scale.counts([1, 2, 4]).share(of: 2) == 0.5)
    #expect(Scale.counts([1, 2]).share(of: 1) == 0)
    #expect(Scale.counts([8]).share(of: 8) == 0.5)
  }

  @Test("Labels are moved apart as little as can be, within their range, and keep their order")
  func spread() {
    #expect(Labels.spread([10, 50], gap: 10, within: 0...100) == [10, 50])
    #expect(Labels.spread([50, 50, 50], gap: 10, within: 0...100) == [40, 50, 60])
    #expect(Labels.spread([0, 0], gap: 10, within: 0...100) == [0, 10])
    #expect(Labels.spread([100, 99], gap: 10, within: 0...100) == [100, 90])
    #expect(Labels.spread([20, 15, 40], gap: 10, within: 0...100) == [22.5, 12.5, 40])
    let crowded = Labels.spread([1, 2, 3, 50, 51], gap: 15, within: 0...100)
    #expect(zip(crowded, crowded.dropFirst()).allSatisfy { $1 - $0 >= 15 })
    #expect(Labels.spread([], gap: 1, within: 0...1).isEmpty)
  }

  @Test("Of labels side by side, those are left out that would touch")
  func fitting() {
    let places: [(position: Double, width: Double)] = [(0, 10), (8, 10), (30, 10), (95, 10), (100, 10)]
    #expect(Labels.fitting(places, gap: 2) == [0, 2, 4])
    #expect(Labels.fitting([], gap: 2).isEmpty)
  }

  @Test("Titles are broken between words")
  func wrapped() {
    #expect(Labels.wrapped("one two three", size: 10, width: 60) == ["one two", "three"])
    #expect(Labels.wrapped("incomprehensibilities", size: 10, width: 20) == ["incomprehensibilities"])
  }

  @Test(
    arguments: [(0, "0"), (0.5, "0.5"), (20, "20"), (5_000, "5k"), (50_000, "50k"), (2e6, "2M")] as [(Double, String)])
  func ticks(number: Double, expected: String) {
    #expect(Format.tick(number) == expected)
  }
}
