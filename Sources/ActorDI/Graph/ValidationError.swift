/// All that `Container.validate()` finds wrong with a container's registrations.
public struct ValidationError: Error, Sendable {
  /// The problems, in the order of the registrations that have them.
  public let problems: [Problem]

  /// Registrations that could not be checked, which is no error: see ``ValidationReport/opaque``.
  public let opaque: [RegistrationInfo]

  /// What scopes have to register, which is no error: see ``ValidationReport/expectedFromScopes``.
  public let expectedFromScopes: [RegistrationInfo.Dependency]

  /// The name of the container that was checked.
  public let container: String

  init(
    problems: [Problem], opaque: [RegistrationInfo], expectedFromScopes: [RegistrationInfo.Dependency],
    container: String
  ) {
    self.problems = problems
    self.opaque = opaque
    self.expectedFromScopes = expectedFromScopes
    self.container = container
  }

  /// One thing that is wrong.
  public struct Problem: Sendable {
    /// What kind of problem it is.
    public let kind: Kind

    private let identity: ServiceIdentity

    /// The services from the registration to change to what it is about: to what is missing, captive, or asynchronous. That of a
    /// cycle is closed: it begins and ends with the member that was registered first.
    public let path: [String]

    /// The name of the container in which the registration stands.
    public let container: String

    /// Where the registration to change was written.
    public let source: RegistrationSource

    /// What resolving the service throws, where that is known: for ``Kind/faultyRegistration`` and ``Kind/ambiguous``.
    public let error: ResolutionError?

    /// What was thrown, of whatever type: ``error`` or, for ``Kind/buildFailed``, what a factory, a hook or a disposer has thrown.
    public let underlying: (any Error)?

    /// What is registered and may have been meant.
    public let suggestions: [String]

    private let text: String

    init(
      kind: Kind, identity: ServiceIdentity, path: [String], container: String,
      source: RegistrationSource, error: ResolutionError?, underlying: (any Error)? = nil,
      suggestions: [String], text: String
    ) {
      self.kind = kind
      self.identity = identity
      self.path = path
      self.container = container
      self.source = source
      self.error = error
      self.underlying = underlying ?? error
      self.suggestions = suggestions
      self.text = text
    }

    /// The type of the service that it is about: the last one of the path.
    public var service: any Any.Type { identity.service }

    /// The key of that service.
    public var key: (any Hashable & Sendable)? { identity.key?.value }
  }

  /// The kinds of problems.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String, Sendable {
      case missingDependency, cycle, captiveDependency, asyncRequired, ambiguous, faultyRegistration, buildFailed
    }

    private let name: Name

    /// Nothing is registered for what a registration takes.
    public static let missingDependency = Kind(name: .missingDependency)
    /// Services need each other to be built.
    public static let cycle = Kind(name: .cycle)
    /// Something is kept longer than it should be, by what took it.
    public static let captiveDependency = Kind(name: .captiveDependency)
    /// A synchronous factory takes what is built asynchronously.
    public static let asyncRequired = Kind(name: .asyncRequired)
    /// Several registrations fit equally well.
    public static let ambiguous = Kind(name: .ambiguous)
    /// The registration itself is a mistake; it throws its ``Problem/error`` when it is resolved.
    public static let faultyRegistration = Kind(name: .faultyRegistration)

    /// It could not be built, or what was built could not be disposed of: found by `validate(building:)` alone.
    public static let buildFailed = Kind(name: .buildFailed)

    /// The kind's name.
    public var description: String { name.rawValue }
  }
}

extension ValidationError: CustomStringConvertible {
  /// How many problems there are, then one line for each.
  public var description: String {
    let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    let lines = ["\(count) in container \"\(container)\":"] + problems.map { "- \($0)" }
    return lines.joined(separator: "\n")
  }
}

extension ValidationError.Problem: CustomStringConvertible {
  /// One line: where, what, and what can be done.
  public var description: String { "\(source): \(text)" }
}
