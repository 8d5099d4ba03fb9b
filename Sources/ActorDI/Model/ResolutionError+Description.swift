extension ResolutionError: CustomStringConvertible {
  /// A message for people: the failure, the resolution path, similar registrations, and advice.
  public var description: String {
    var lines = [headline]
    if let note { lines.append(note) }
    if path.count > (code == .cycle ? cycle.count : 1) {
      lines.append("Resolution path: " + path.joined(separator: " -> "))
    }
    if !suggestions.isEmpty {
      lines.append("Registered: " + suggestions.joined(separator: "; "))
    }
    if let advice { lines.append(advice) }
    return lines.joined(separator: "\n")
  }

  private var subject: String { identity?.description ?? "The service" }
  private var place: String { container.map { " in container \"\($0)\"" } ?? "" }

  /// The closed part of the path.
  private var cycle: [String] {
    let path = path
    return path.firstIndex { $0 == path.last }.map { Array(path[$0...]) } ?? []
  }

  private var headline: String {
    switch code {
    case .notRegistered: "\(subject) is not registered\(place)."
    case .cycle: "Dependency cycle detected: \(cycle.joined(separator: " -> "))"
    case .asyncRequired:
      "\(subject) is built asynchronously, and was resolved by synchronous code."
    case .argumentMismatch: "\(subject) is registered with other arguments\(place)."
    case .ambiguousArguments: "\(subject) has ambiguous arguments."
    case .ambiguous: "Several registrations fit \(subject) equally well\(place)."
    case .duplicate: "\(subject) is registered already\(place)."
    case .typeMismatch: "What is registered for \(subject) makes something of another type."
    case .scopeNotFound: "No enclosing container has the name that the scope of \(subject) asks for."
    case .tooDeep: "The chain of dependencies that leads to \(subject) is too deep."
    case .frozen: "The registry is frozen\(place): \(subject) cannot be registered, decorated or rebuilt."
    case .invalidRegistration: "\(subject) cannot be registered as it is\(place)."
    case .closed: "The container is closed\(place): \(subject) cannot be resolved."
    default: "\(subject) could not be resolved."
    }
  }

  private var advice: String? {
    switch code {
    case .notRegistered where suggestions.isEmpty:
      "Register it, or resolve it from the container that has it."
    case .cycle:
      "Break it with Lazy or Provider, or set one of the references in onCreated."
    case .asyncRequired:
      "Resolve it with 'try await' first; once it is built and kept, synchronous code finds it."
    case .argumentMismatch:
      "Pass arguments of exactly the registered types, in the same order."
    case .duplicate:
      "Remove one of them, give one a key, or set Container.Configuration.duplicates to .replace."
    case .ambiguous:
      "Remove one of them, or give it a key or another parameter that can be satisfied."
    case .frozen:
      "Register before the container is frozen, or in a child of it."
    case .ambiguousArguments:
      "Register it by a factory closure, which says which argument goes where."
    case .scopeNotFound:
      "Resolve it inside withScope of that name, or from a child container that has it."
    case .closed:
      "Resolve before the container is shut down, or from one that is open."
    case .tooDeep:
      "Resolve it with 'try await' from asynchronous factories, which need no stack, or shorten the chain."
    default: nil
    }
  }
}
