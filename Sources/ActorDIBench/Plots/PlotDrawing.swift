/// The drawing of a plot, readable on light and dark pages.
///
/// Lines are labelled at their ends instead of in a legend. The drawing is as wide as the labels require, so that none is cut off.
struct PlotDrawing {
  private static let size = (text: 13.0, title: 16.0)
  private static let lineHeight = 17.0
  private static let breadth = 440.0

  private let plot: Plot
  private let x: Scale
  private let y: Scale
  private let left: Double
  private let height: Double
  private let width: Double
  private let titles: [String]

  init(_ plot: Plot) {
    self.plot = plot
    let points = plot.lines.flatMap(\.points)
    x = .counts(points.map(\.x))
    y = .heights(points.flatMap { [$0.y, $0.lower, $0.upper] })
    left = 16 + (y.ticks.map { Self.width(of: Format.tick($0)) }.max() ?? 0)
    height = max(260, Self.lineHeight * Double(plot.lines.count))
    let names = plot.lines.map { Self.width(of: $0.name) }.max() ?? 0
    width = left + Self.breadth + Self.labelGap + names + 8
    // Bold letters are wider.
    titles = Labels.wrapped(plot.title, size: Self.size.title * 1.12, width: width - 16)
  }

  var svg: String {
    let box = "0 0 \(SVG.number(width)) \(SVG.number(bottom + 50))"
    let colours = PlotStyle.colours(of: plot.lines)
    let content =
      "\n" + SVG.element("title", ["id": "title"], SVG.escaped("\(plot.title), by \(plot.axis)"))
      + SVG.element("desc", ["id": "desc"], SVG.escaped(plot.description))
      + SVG.element("style", [:], "\n\(PlotStyle.sheet(colours))\n")
      + titles.enumerated().map { SVG.text($1, x: 8, y: 22 + Double($0) * 20, class: "title") }.joined()
      + SVG.text(subtitle, x: 8, y: top - 20, class: "note")
      + axes + plot.lines.indices.map(line).joined() + labels
    return SVG.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "width": SVG.number(width),
        "height": SVG.number(bottom + 50), "role": "img", "aria-labelledby": "title desc",
      ], content)
  }

  private var subtitle: String { plot.measure + (y.isLogarithmic ? " (logarithmic)" : "") }

  // MARK: - Places

  private static let labelGap = 26.0
  private var right: Double { left + Self.breadth }
  private var top: Double { 42 + Double(titles.count) * 20 }
  private var bottom: Double { top + height }

  private func place(_ point: Plot.Point) -> (x: Double, y: Double) { (x: across(point.x), y: up(point.y)) }
  private func across(_ value: Double) -> Double { left + x.share(of: value) * Self.breadth }
  private func up(_ value: Double) -> Double { bottom - y.share(of: value) * height }

  private static func width(of text: String) -> Double { Labels.width(of: text, size: size.text) }

  // MARK: - Parts

  private var axes: String {
    let heights = y.ticks.map { tick in
      SVG.line(from: (left, up(tick)), to: (right, up(tick)), class: "grid")
        + SVG.text(Format.tick(tick), x: left - 8, y: up(tick) + 4.5, class: "note", anchor: "end")
    }
    let texts = x.ticks.map(Format.tick)
    let shown = Labels.fitting(
      zip(x.ticks, texts).map { (position: across($0), width: Self.width(of: $1)) }, gap: 8)
    let counts = x.ticks.indices.map { index in
      let place = across(x.ticks[index])
      return SVG.line(from: (place, bottom), to: (place, bottom + 4), class: "grid")
        + (shown.contains(index)
          ? SVG.text(texts[index], x: place, y: bottom + 20, class: "note", anchor: "middle") : "")
    }
    let name = SVG.text(plot.axis, x: (left + right) / 2, y: bottom + 40, class: "note", anchor: "middle")
    return heights.joined() + counts.joined() + name
  }

  private func line(_ index: Int) -> String {
    let line = plot.lines[index]
    let places = line.points.map(place)
    let way = places.map { "\(SVG.number($0.x)),\(SVG.number($0.y))" }.joined(separator: " ")
    let whiskers = line.points.map { point in
      SVG.line(
        from: (across(point.x), up(point.lower)), to: (across(point.x), up(point.upper)), class: "whisker s\(index)")
    }
    let dots = places.map { place in
      SVG.element("circle", ["class": "l\(index)", "cx": SVG.number(place.x), "cy": SVG.number(place.y), "r": "3"])
    }
    return whiskers.joined()
      + SVG.element("polyline", ["class": "line \(line.role.rawValue) s\(index)", "points": way]) + dots.joined()
  }

  /// The labels at the ends of the lines. Labels that would overlap are moved apart, and connected to their lines.
  private var labels: String {
    let ends = plot.lines.map { line -> (x: Double, y: Double) in
      line.points.last.map(place) ?? (x: right, y: bottom)
    }
    let heights = Labels.spread(ends.map(\.y), gap: Self.lineHeight, within: top...bottom)
    return plot.lines.indices.map { index in
      let label = (x: right + Self.labelGap, y: heights[index])
      return SVG.line(from: (ends[index].x + 5, ends[index].y), to: (label.x - 4, label.y), class: "leader s\(index)")
        + SVG.text(plot.lines[index].name, x: label.x, y: label.y + 4.5, class: "l\(index)")
    }.joined()
  }
}

extension Format {
  /// A round number for an axis, such as `0.5`, `20`, `5k` and `2M`.
  static func tick(_ number: Double) -> String {
    switch abs(number) {
    case 0: "0"
    case ..<0.001: "\(number)"
    case ..<1_000: short(number)
    case ..<1_000_000: short(number / 1_000) + "k"
    default: short(number / 1_000_000) + "M"
    }
  }
}
