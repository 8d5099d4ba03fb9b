/// Why a service could not be registered or resolved.
///
/// An error that a factory throws is passed on as it is; this one is about the container itself. Its ``description`` says
/// what was asked for, by whom, what there is instead, and what can be done.
public struct ResolutionError: Error, Sendable {
  /// One reference, so that throwing moves one word.
  private let details: Details

  final class Details: Sendable {
    let code: Code
    let identity: ServiceIdentity?
    let path: [ServiceIdentity]
    let container: String?
    let suggestions: [String]
    /// What the description says beside the rest.
    let note: String?

    init(
      _ code: Code, _ identity: ServiceIdentity?, _ path: [ServiceIdentity], _ container: String?,
      _ suggestions: [String], _ note: String?
    ) {
      self.code = code
      self.identity = identity
      self.path = path
      self.container = container
      self.suggestions = suggestions
      self.note = note
    }
  }

  init(
    _ code: Code, for identity: ServiceIdentity?, path: [ServiceIdentity] = [],
    container: String? = nil, suggestions: [String] = [], note: String? = nil
  ) {
    details = Details(code, identity, path, container, suggestions, note)
  }

  /// What kind of error it is.
  public var code: Code { details.code }

  /// The type that was asked for.
  public var service: (any Any.Type)? { details.identity?.service }

  /// Whether it is about a service: `error.is((any Store).self)`.
  ///
  /// - Parameter type: the type to compare ``service`` with.
  public func `is`<Other>(_ type: Other.Type) -> Bool { service == type }

  /// The key that was asked for.
  public var key: (any Hashable & Sendable)? { details.identity?.key?.value }

  /// The services under construction, from the root to the one that failed: `["App", "Users", "Store"]`.
  ///
  /// That of a ``Code/cycle`` ends with the service that is met again. The cycle is what lies between the two: in
  /// `["App", "Users", "Store", "Users"]`, `Users` needs `Store`, which needs `Users`.
  public var path: [String] { ServiceIdentity.descriptions(of: details.path) }

  /// The same as values: types and keys rather than text.
  public var steps: [ResolutionStep] { details.path.map { ResolutionStep(identity: $0) } }

  /// The name of the container that was asked.
  public var container: String? { details.container }

  /// What is registered and may have been meant.
  public var suggestions: [String] { details.suggestions }

  var identity: ServiceIdentity? { details.identity }
  var note: String? { details.note }

  /// The kinds of errors.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String, Sendable {
      case notRegistered, cycle, asyncRequired, argumentMismatch, ambiguousArguments, ambiguous
      case duplicate, typeMismatch, scopeNotFound, tooDeep, frozen, closed, invalidRegistration
    }

    private let kind: Kind

    /// Neither the container nor one of its parents has the service.
    public static let notRegistered = Code(kind: .notRegistered)
    /// The service needs itself, directly or not, in its own chain or across tasks.
    public static let cycle = Code(kind: .cycle)
    /// The service is built asynchronously, and was asked for by synchronous code.
    public static let asyncRequired = Code(kind: .asyncRequired)
    /// The service is registered, but with other run-time arguments; or it is to be kept per arguments that cannot be compared.
    public static let argumentMismatch = Code(kind: .argumentMismatch)
    /// The listed arguments cannot be matched with the initialiser's parameters.
    public static let ambiguousArguments = Code(kind: .ambiguousArguments)
    /// Several registrations fit equally well.
    public static let ambiguous = Code(kind: .ambiguous)
    /// The identity is registered already, and the configuration forbids to replace it.
    public static let duplicate = Code(kind: .duplicate)
    /// The instance is not of the type asked for.
    public static let typeMismatch = Code(kind: .typeMismatch)
    /// No enclosing container has the scope's name.
    public static let scopeNotFound = Code(kind: .scopeNotFound)
    /// The chain of dependencies is longer than the stack allows.
    public static let tooDeep = Code(kind: .tooDeep)
    /// The registry is closed for changes.
    public static let frozen = Code(kind: .frozen)
    /// The container is shut down.
    public static let closed = Code(kind: .closed)

    /// What the registration's modifiers ask for cannot be had together.
    public static let invalidRegistration = Code(kind: .invalidRegistration)

    /// The code's name.
    public var description: String { kind.rawValue }
  }
}

extension ResolutionError {
  static func duplicate(
    _ identity: ServiceIdentity, earlier: RegistrationSource, _ container: String
  ) -> ResolutionError {
    ResolutionError(
      .duplicate, for: identity, path: [identity], container: container,
      note: "It was registered first at \(earlier).")
  }

  static func invalidRegistration(
    _ identity: ServiceIdentity, _ source: RegistrationSource, _ reason: String
  ) -> ResolutionError {
    ResolutionError(
      .invalidRegistration, for: identity, path: [identity], note: "\(reason) It stands at \(source).")
  }

  static func ambiguousArguments(
    _ service: any Any.Type, initializer: String, reason: String
  ) -> ResolutionError {
    let identity = ServiceIdentity(
      service: service, key: nil, word: 0)
    return ResolutionError(
      .ambiguousArguments, for: identity, path: [identity],
      note: "The initialiser \(initializer) cannot be autowired: \(reason).")
  }
}
