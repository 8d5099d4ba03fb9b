extension ResolutionError: CustomStringConvertible {
  /// A message for people: the failure, the resolution path, similar registrations, and advice.
  ///
  /// The ``suggestions`` and the advice are looked up when the text is read.
  public var description: String {
    let suggestions = suggestions
    var lines = [headline]
    lines += notes
    let path = identities
    if path.count > (code == .cycle ? cycle.count : 1) {
      lines.append("Resolution path: " + Self.brief(path).joined(separator: " -> "))
    }
    if !suggestions.isEmpty { lines.append("Registered: " + suggestions.joined(separator: "; ")) }
    lines += advice(ofCode: adviceOfCode)
    return lines.joined(separator: "\n")
  }

  /// The path, without the middle of a very long one.
  private static func brief(_ path: [ServiceIdentity]) -> [String] {
    let count = 3
    guard path.count > 32 else { return path.map(\.description) }
    return path.prefix(count).map(\.description) + ["… \(path.count - 2 * count) more …"]
      + path.suffix(count).map(\.description)
  }

  private var subject: String { identity?.description ?? "The service" }
  private var place: String { container.map { " in container \"\($0)\"" } ?? "" }

  private var owner: String { container.map { " of container \"\($0)\"" } ?? "" }
  private var holder: String { container.map { "Container \"\($0)\"" } ?? "The container" }

  /// The clause that names the refused operations; empty if the error concerns no service.
  private func consequence(_ acts: String) -> String { identity.map { ": \($0) can no longer be \(acts)" } ?? "" }

  /// The closed part of the path.
  private var cycle: [ServiceIdentity] {
    let path = identities
    return path.firstIndex { $0 == path.last }.map { Array(path[$0...]) } ?? []
  }

  private var headline: String {
    switch code {
    case .notRegistered: "\(subject) is not registered\(place)."
    case .cycle: "Dependency cycle detected: \(Self.brief(cycle).joined(separator: " -> "))"
    case .asyncRequired where identity == nil: "Synchronous code cannot wait for asynchronous work\(place)."
    case .asyncRequired: "\(subject) is built asynchronously, and was resolved by synchronous code."
    case .argumentMismatch: "\(subject) is not registered\(place); registrations with other arguments exist."
    case .ambiguousArguments: "\(subject) has ambiguous arguments."
    case .ambiguous: "Several registrations fit \(subject) equally well\(place)."
    case .duplicate: "\(subject) is registered already\(place)."
    case .typeMismatch: "The registration of \(subject) makes an instance of another type."
    case .scopeNotFound: "\(subject) was resolved outside of its scope."
    case .tooDeep: "The chain of dependencies that leads to \(subject) is too deep: \(path.count) services."
    case .external: "\(subject) is external, and no override replaces it in this strict test."
    case .frozen: "The registry\(owner) is frozen\(consequence("registered, decorated or rebuilt"))."
    case .invalidRegistration: "The registration of \(subject) is invalid."
    case .closed: "\(holder) is closed\(consequence("resolved or registered"))."
    default: "\(subject) could not be resolved."
    }
  }

  private var adviceOfCode: String? {
    switch code {
    case .notRegistered: "Register it, or resolve it from the container that has it."
    case .cycle: Self.adviceOnCycles
    case .asyncRequired where identity != nil && notes.isEmpty:
      """
      Resolve it with 'try await' first; once it is built and kept, synchronous code finds it.
      In the top-level code of main.swift, the compiler chooses the synchronous form even after 'try await': \
      move the code into an asynchronous function.
      """
    case .asyncRequired where identity != nil:
      "Or build it before: once it is built and kept, synchronous code finds it."
    case .argumentMismatch: "Pass arguments of exactly the registered types, in the same order."
    case .duplicate: "Remove one of them, give one a key, or set Container.Configuration.duplicates to .replace."
    case .ambiguous: "Remove one of them, or give it a key or another parameter that can be satisfied."
    case .external: "Override it for the test, or remove what resolves it."
    case .frozen: "Make the change before freeze(), or register in a child container."
    case .ambiguousArguments: "Write a factory closure, which passes each argument explicitly."
    case .scopeNotFound: "Resolve it inside withScope of that name, or from a child container of that name."
    case .closed: "Use it before the container is shut down or its scope ends, or use an open container."
    case .tooDeep: "Resolve it with 'try await' from asynchronous factories, which need no stack, or shorten the chain."
    default: nil
    }
  }

  static let adviceOnCycles =
    "Let one of them take a Lazy or Provider, or set the reference in an onCreated hook of the service whose initialiser takes the "
    + "other one."
}

/// The description of an error or a failure, without line breaks.
func oneLine(_ value: Any) -> String { "\(value)".split(whereSeparator: \.isNewline).joined(separator: " ") }
