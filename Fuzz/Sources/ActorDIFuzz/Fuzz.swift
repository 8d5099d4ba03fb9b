import Dispatch
import Foundation

// libFuzzer's entry point for programs with their own `main`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// Runs each libFuzzer input as a program, and crashes if the containers and the reference model differ.
///
/// The variable `ACTORDI_PLANTED_MISTAKE` names a `ReferenceModel.Mistake` for the reference to make, to show that the fuzzer finds a
/// difference.
@main
struct Fuzz {
  static func main() {
    var count = CommandLine.argc
    var arguments = unsafe CommandLine.unsafeArgv
    _ = unsafe runDriver(&count, &arguments) { data, size in
      var reader = ProgramReader(unsafe UnsafeBufferPointer(start: data, count: size))
      let program = reader.program
      let planted = ProcessInfo.processInfo.environment["ACTORDI_PLANTED_MISTAKE"]
      let mistake = planted.flatMap { name in ReferenceModel.Mistake.allCases.first { "\($0)" == name } }
      let end = DispatchSemaphore(value: 0)
      Task.detached {
        do {
          try await ProgramRun.run(program, mistake)
        } catch {
          // `.ci/run fuzz` looks for these words.
          fatalError("The containers differ from the reference: \(error)\n" + program.map { "  \($0)\n" }.joined())
        }
        end.signal()
      }
      end.wait()
      return 0
    }
  }
}
