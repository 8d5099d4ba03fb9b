import Dispatch
import Foundation

// libFuzzer's own entry, for programs with a `main` of theirs.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// Takes what libFuzzer makes up as a program, and stops where the containers and the reference differ.
///
/// `ACTORDI_PLANTED_MISTAKE`, the name of a rule that the reference bends, shows that a difference is found.
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
          fatalError("\(error)\n" + program.map { "  \($0)\n" }.joined())
        }
        end.signal()
      }
      end.wait()
      return 0
    }
  }
}
