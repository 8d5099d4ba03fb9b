/// All problems that `Container.validate()` finds in a container's registrations.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// The problems, in order of registration.
  public let problems: [Problem]

  private let report: ValidationReport
  private let name: IntegerStored<String>

  /// Registrations that could not be checked, which is not an error: see ``ValidationReport/opaque``.
  public var opaque: [RegistrationInfo] { report.opaque }

  /// Services that scopes have to register, which is not an error: see ``ValidationReport/expectedFromScopes``.
  public var expectedFromScopes: [RegistrationInfo.Dependency] { report.expectedFromScopes }

  /// Registrations that a later one of the same batch has replaced, which is not an error: see ``ValidationReport/replaced``.
  public var replaced: [ValidationReport.Replacement] { report.replaced }

  /// The name of the validated container.
  public var container: String { name.value }

  init(_ problems: [Problem], _ report: ValidationReport, container: String) {
    self.problems = problems
    self.report = report
    name = IntegerStored(container)
  }

  /// The number of problems, followed by one line for each.
  public var description: String {
    let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    let lines = ["\(count) in container \"\(container)\":"] + problems.map { "- \($0)" }
    return lines.joined(separator: "\n")
  }

  /// A single problem.
  public struct Problem: Sendable, CustomStringConvertible {
    /// The kind of problem.
    public let kind: Kind

    let identity: ServiceIdentity

    /// The services from the registration to change to the missing, captive or asynchronous service.
    ///
    /// The path of a cycle is closed: it begins and ends with the member that was registered first.
    public let path: [String]

    /// The name of the registration's container.
    public let container: String

    /// The source location of the registration to change.
    public let source: RegistrationSource

    /// The error that resolving the service throws, where it is known: for ``Kind/faultyRegistration`` and
    /// ``Kind/ambiguous``.
    public let error: ResolutionError?

    /// The underlying error, of any type: ``error`` or, for ``Kind/buildFailed``, the error of a factory, a hook or a
    /// disposer.
    public let underlying: (any Error)?

    /// Registrations that may have been meant.
    public let suggestions: [String]

    let text: String

    /// The type of the service concerned: the last one of the path.
    public var service: any Any.Type { identity.service }

    /// The key of the service concerned.
    public var key: (any Hashable & Sendable)? { identity.key?.value }

    /// One line of text: the source location, the problem and a remedy.
    public var description: String { "\(source): \(text)" }

    /// One line of text in the format of a compiler's error, with the code of the kind: `App/Services.swift:3: error: ADI003 …`.
    public var diagnostic: String { "\(source): error: \(kind.code) \(text)" }
  }

  /// The kinds of problems.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// A kind keeps its number: see ``code``.
    private let number: Int

    /// A dependency of a registration is not registered.
    public static let missingDependency = Kind(number: 1, description: "missingDependency")
    /// Services need each other to be built.
    public static let cycle = Kind(number: 2, description: "cycle")
    /// A service is kept longer than its registration allows, by a service that took it.
    public static let captiveDependency = Kind(number: 3, description: "captiveDependency")
    /// A synchronous factory takes a service that is built asynchronously.
    public static let asyncRequired = Kind(number: 4, description: "asyncRequired")
    /// Several registrations fit equally well.
    public static let ambiguous = Kind(number: 5, description: "ambiguous")
    /// The registration is invalid by itself; resolving it throws its ``Problem/error``.
    public static let faultyRegistration = Kind(number: 6, description: "faultyRegistration")

    /// A service could not be built, or its instance could not be disposed of. Only `validate(building:)` finds this problem.
    public static let buildFailed = Kind(number: 7, description: "buildFailed")

    /// The kind's name.
    public let description: String

    /// The code of the kind, such as `ADI003`, for tools and searches. It never changes. See <doc:Errors#Problems>.
    public var code: String { "ADI00\(number)" }
  }
}
