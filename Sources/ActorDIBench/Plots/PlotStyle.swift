/// The colours of plots, for light and dark pages.
///
/// A viewer that supports neither scheme uses the middle colours, which are legible on both backgrounds.
enum PlotStyle {
  struct Colour: Equatable, Sendable {
    let either: String
    let light: String
    let dark: String
  }

  private static let grey = Colour(either: "#757b85", light: "#57606a", dark: "#9198a1")
  private static let containers = [
    Colour(either: "#2a7ae6", light: "#0969da", dark: "#58a6ff"),
    Colour(either: "#228a3d", light: "#1a7f37", dark: "#3fb950"),
    Colour(either: "#9466e0", light: "#8250df", dark: "#bc8cff"),
    Colour(either: "#cf4a98", light: "#bf3989", dark: "#f778ba"),
    Colour(either: "#168499", light: "#0b7285", dark: "#39c5cf"),
    Colour(either: "#8e7508", light: "#7d6200", dark: "#d4b72a"),
  ]
  private static let baselines = [
    Colour(either: "#c9601a", light: "#bc4c00", dark: "#f0883e"),
    Colour(either: "#dd524c", light: "#cf222e", dark: "#ff7b72"),
    Colour(either: "#a06a4b", light: "#7d4e32", dark: "#d2a58a"),
  ]

  /// The colour of each line: grey for floors, cold colours for containers, warm colours for baselines.
  static func colours(of lines: [Plot.Line]) -> [Colour] {
    var (container, baseline) = (0, 0)
    return lines.map { line in
      switch line.role {
      case .floor, .probe:
        return grey
      case .baseline:
        defer { baseline += 1 }
        return baselines[baseline % baselines.count]
      case .container:
        defer { container += 1 }
        return containers[container % containers.count]
      }
    }
  }

  /// The style sheet, with classes for the parts, and `s0`, `s1` … for the lines.
  static func sheet(_ colours: [Colour]) -> String {
    """
    text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 13px; }
    .title { font-size: 16px; font-weight: 600; }
    .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
    .container { stroke-width: 3; }
    .floor { stroke-dasharray: 6 5; }
    .whisker { fill: none; stroke-width: 1.5; stroke-opacity: 0.45; }
    .leader { fill: none; stroke-width: 1; stroke-opacity: 0.6; }
    .grid { stroke-width: 1; stroke-opacity: 0.25; }
    \(rules(colours, ink: "#6d747d", faint: "#757b85", \.either))
    @media (prefers-color-scheme: light) {
    \(rules(colours, ink: "#1f2328", faint: "#57606a", \.light))
    }
    @media (prefers-color-scheme: dark) {
    \(rules(colours, ink: "#e6edf3", faint: "#9198a1", \.dark))
    }
    """
  }

  private static func rules(
    _ colours: [Colour], ink: String, faint: String, _ shade: KeyPath<Colour, String>
  ) -> String {
    let lines = colours.enumerated().map { index, colour in
      ".s\(index) { stroke: \(colour[keyPath: shade]); } .l\(index) { fill: \(colour[keyPath: shade]); }"
    }
    return ([".title { fill: \(ink); } .note { fill: \(faint); } .grid { stroke: \(faint); }"] + lines)
      .joined(separator: "\n")
  }
}
