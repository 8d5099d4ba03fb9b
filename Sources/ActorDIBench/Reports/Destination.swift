/// The destination of a report: standard output or a file, and a folder for its plots.
struct Destination: Sendable {
  private let format: Options.Format
  private let file: ReportFile?
  private let folder: String?

  /// Checks that the destination is writable before the measurements begin, because they take minutes.
  init(_ options: Options) throws(UsageError) {
    format = options.format
    folder = options.svg
    do {
      file = if let path = options.output { try ReportFile(path: path) } else { nil }
    } catch {
      throw UsageError(
        "cannot write '\(options.output ?? "")': \(error)", hint: "name a file in a folder you own")
    }
    guard let folder else { return }
    do {
      try FileSystem.makeFolder(folder)
      _ = try ReportFile(path: "\(folder)/plot.svg")
    } catch {
      throw UsageError(
        "cannot write plots into '\(folder)': \(error)", hint: "name a folder you own, or one to be made")
    }
  }

  /// Writes the report and its plots.
  ///
  /// - Throws: ``Output/Failure`` with the system's reason.
  func write(_ report: Report) throws(Output.Failure) {
    if let folder {
      for plot in Plot.all(in: report.results) {
        try ReportFile(path: "\(folder)/\(plot.fileName)").write(PlotDrawing(plot).svg)
      }
    }
    guard let file else {
      return try Output.standard.writeAll(report.written(as: format, for: Terminal(.standard)))
    }
    try file.write(report.written(as: format, for: .plain))
  }
}
