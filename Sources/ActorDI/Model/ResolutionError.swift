/// An error of the container while it registers or resolves a service.
///
/// Errors thrown by factories pass through unchanged; this type describes failures of the container itself. Its
/// ``description`` names the requested service, the resolution path, similar registrations and a remedy.
public struct ResolutionError: Error, Sendable {
  /// An array of one element: a single reference, so that throwing moves one word.
  private let reference: IntegerStored<[Details]>
  private var details: Details { reference.value[0] }

  private struct Details: Sendable {
    let code: Code
    let identity: ServiceIdentity?
    let path: [ServiceIdentity]
    let container: String?
    /// Looks up the similar registrations, which takes time, when they are read.
    let suggestions: @Sendable () -> [String]
    /// An additional line of the description.
    let note: String?
    /// Looks up what is particular about the request. Called when the text is read, because it takes time.
    let circumstance: @Sendable () -> String?
    /// Looks up the lines of advice, given that of the code. Called when the text is read, because it takes time.
    let advice: @Sendable (_ ofCode: String?) -> [String]
    /// The issue of the test that the error fails.
    var issue: (any IssueOfTest)?
  }

  init(
    _ code: Code, for identity: ServiceIdentity?, path: [ServiceIdentity] = [],
    container: String? = nil, suggestions: @escaping @Sendable () -> [String] = { [] }, note: String? = nil,
    circumstance: @escaping @Sendable () -> String? = { nil },
    advice: @escaping @Sendable (_ ofCode: String?) -> [String] = { $0.map { [$0] } ?? [] }
  ) {
    self.init(
      Details(
        code: code, identity: identity, path: path, container: container, suggestions: suggestions, note: note,
        circumstance: circumstance, advice: advice))
  }

  private init(_ details: Details) { reference = IntegerStored([details]) }

  /// The kind of error.
  public var code: Code { details.code }

  /// The requested type.
  public var service: (any Any.Type)? { details.identity?.service }

  /// Whether the error concerns a service: `error.is((any Store).self)`.
  ///
  /// - Parameter type: The type to compare with ``service``.
  public func `is`<Other>(_ type: Other.Type) -> Bool { service == type }

  /// The requested key.
  public var key: (any Hashable & Sendable)? { details.identity?.key?.value }

  /// The services under construction, from the root to the one that failed: `["App", "Users", "Store"]`.
  ///
  /// The path of a ``Code/cycle`` ends with the service that recurs; the cycle lies between its two occurrences. An
  /// example is `["App", "Users", "Store", "Users"]`: `Users` needs `Store`, which needs `Users`.
  public var path: [String] { details.path.map(\.description) }

  /// The resolution path as values: types and keys rather than text.
  public var steps: [ResolutionStep] { details.path.map { ResolutionStep(identity: $0) } }

  /// The name of the container that was asked.
  public var container: String? { details.container }

  /// Registrations that may have been meant: keys of the same type, or types of similar names.
  ///
  /// Each access looks them up in the containers that were searched, as they are then. An error does not keep a container alive: of a
  /// container that has ended or has been deallocated since, it knows the registrations of that moment.
  ///
  /// - Complexity: O(*n*) in the number of registrations. Throwing the error costs no such search.
  public var suggestions: [String] { details.suggestions() }

  var identity: ServiceIdentity? { details.identity }
  var identities: [ServiceIdentity] { details.path }

  /// The additional lines of the description.
  var notes: [String] { [details.note, details.circumstance()].compactMap { $0 } }

  /// The lines of advice.
  ///
  /// - Parameter advice: The advice for all errors of the code; nil if there is none.
  func advice(ofCode advice: String?) -> [String] { details.advice(advice) }

  /// The same error as part of an issue of a test.
  func with(_ issue: (any IssueOfTest)?) -> ResolutionError {
    var details = details
    details.issue = issue
    return ResolutionError(details)
  }

  /// The kinds of errors.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// Neither the container nor its links and parents have the service.
    public static let notRegistered = Code(description: "notRegistered")
    /// The service depends on itself, directly or indirectly, in its own chain or across tasks.
    public static let cycle = Code(description: "cycle")
    /// Synchronous code requested a service that is built asynchronously.
    public static let asyncRequired = Code(description: "asyncRequired")
    /// The service is registered, but with other run-time arguments.
    public static let argumentMismatch = Code(description: "argumentMismatch")
    /// The listed arguments do not match the initialiser's parameters unambiguously.
    public static let ambiguousArguments = Code(description: "ambiguousArguments")
    /// Several registrations fit equally well.
    public static let ambiguous = Code(description: "ambiguous")
    /// The identity is already registered, and the configuration forbids replacement.
    public static let duplicate = Code(description: "duplicate")
    /// Reserved: the compiler checks the types, and no function throws it.
    public static let typeMismatch = Code(description: "typeMismatch")
    /// The service was resolved outside of its scope: no enclosing container has the name of the scope.
    public static let scopeNotFound = Code(description: "scopeNotFound")
    /// The chain of dependencies is longer than the stack allows.
    public static let tooDeep = Code(description: "tooDeep")
    /// A strict test has resolved an external service that no override replaces: ``Registration/external()``.
    public static let external = Code(description: "external")
    /// The registry is closed to changes.
    public static let frozen = Code(description: "frozen")
    /// The container is shut down.
    public static let closed = Code(description: "closed")

    /// The registration's modifiers contradict one another.
    public static let invalidRegistration = Code(description: "invalidRegistration")

    /// The code's name.
    public let description: String
  }

  static func ambiguousArguments(_ identity: ServiceIdentity, initializer: String, reason: String) -> ResolutionError {
    ResolutionError(
      .ambiguousArguments, for: identity, path: [identity],
      note: "The initialiser \(initializer) cannot be autowired: \(reason).")
  }
}

extension ResolutionError: IssueOfTest {
  package func recordNow() { details.issue?.recordNow() }
}
