import Checks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Uses the library as documented, and exits with an error if the library behaves differently.
@main
struct Consumer {
  static func main() async throws {
    let checks = Checks()
    try await atAGlance(checks)
    try await registering(checks)
    try await usingContainers(checks)
    try await keepingInstances(checks)
    try await relationships(checks)
    try await injecting(checks)
    try await endingScopes(checks)
    try await scopesByKey(checks)
    let (text, isSuccess) = checks.report()
    print(text)
    exit(isSuccess ? EXIT_SUCCESS : EXIT_FAILURE)
  }
}
