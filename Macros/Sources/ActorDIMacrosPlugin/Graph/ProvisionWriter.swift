import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes what the type checker needs to find missing providers.
///
/// A protocol has an overload of one function for each service that the graph provides, and inherits from the protocols of the included
/// graphs. For each dependency, a function that never runs calls the overload. Without one, the call goes to an unavailable generic
/// overload, whose message is the error. So two spellings of a type are one service.
struct ProvisionWriter {
  let providers: [ProviderSyntax]
  let included: [ProviderReader.Included]
  let access: String
  let locate: (Dependency) -> AbstractSourceLocation?

  /// The keys of the providers as they are written. Each is a type of its own in the overloads.
  private let keys: [String]

  init(_ reader: ProviderReader, access: String, locate: @escaping (Dependency) -> AbstractSourceLocation?) {
    providers = reader.providers
    included = reader.included
    self.access = access
    self.locate = locate
    keys = Set(providers.compactMap(\.identity.key)).sorted()
  }

  /// The dependencies on a service that no provider states in the same spelling.
  private var unmatched: [Dependency] {
    let provided = Set(providers.filter { !$0.takesArguments }.map(\.identity))
    return providers.flatMap(\.dependencies).filter { dependency in
      guard dependency.isResolved, !provided.contains(dependency.identity) else { return false }
      return switch dependency.type.related.relation {
      case .service, .owned: true
      case .optional, .collection, .builtIn: false
      }
    }
  }

  /// Whether the spelling of a literal key shows which providers have it: the others are literals, too, and no included graph has more.
  private var areKeysKnown: Bool { included.isEmpty && providers.allSatisfy { $0.key?.isLiteral ?? true } }

  /// A key that no provider has is a mistake.
  var problems: [Problem] {
    guard areKeysKnown else { return [] }
    return unmatched.compactMap { dependency in
      guard let key = dependency.key, key.isLiteral, let spelling = dependency.identity.key, !keys.contains(spelling)
      else { return nil }
      return Problem(
        at: dependency.node,
        "no provider of the graph has the key '\(key.trimmed)', which parameter '\(dependency.name)' needs: add one")
    }
  }

  var members: [DeclSyntax] {
    var members = keys.indices.map { index -> DeclSyntax in "\(raw: access)enum _Key\(raw: index + 1) {}" }
    members.append(provisions(named: "_Provisions", access, after: "ActorDIMacros._ServiceProvisions") { $0 })
    let checked = checks
    guard !checked.isEmpty else { return members }
    let areAllExported = providers.allSatisfy(\.isExported) && included.allSatisfy(\.isExported)
    if !areAllExported {
      members.append(provisions(named: "_OwnProvisions", "private ", after: "_Provisions") { !$0 })
    }
    members.append(
      """
      nonisolated private static func _check(_ provisions: (some \(raw: areAllExported ? "_Provisions" : "_OwnProvisions")).Type) {
      \(raw: checked.joined(separator: "\n"))
      }
      """)
    return members
  }

  private func provisions(
    named name: String, _ access: String, after base: String, where isVisible: (_ isExported: Bool) -> Bool
  ) -> DeclSyntax {
    let bases = [base] + included.filter { isVisible($0.isExported) }.map { "\($0.type)._Provisions" }
    let lines = providers.filter { isVisible($0.isExported) && !$0.takesArguments }.map { provider in
      "  static func provider(of service: ActorDIMacros._Service<\(provider.service)>\(keyParameter(provider.identity.key)))"
    }
    return """
      \(raw: access)nonisolated protocol \(raw: name): \(raw: bases.joined(separator: ", ")) {
      \(raw: lines.joined(separator: "\n"))
      }
      """
  }

  private func keyParameter(_ key: String?) -> String {
    key.flatMap(keys.firstIndex).map { ", key: _Key\($0 + 1).Type" } ?? ""
  }

  /// The calls, each at the line of its dependency.
  private var checks: [String] {
    unmatched.flatMap { dependency -> [String] in
      var key = ""
      if let text = dependency.identity.key {
        guard areKeysKnown, let index = keys.firstIndex(of: text) else { return [] }
        key = ", key: _Key\(index + 1).self"
      }
      let call = "provisions.provider(of: ActorDIMacros._Service<\(dependency.type.related.service)>()\(key))"
      return [call].located(at: locate(dependency))
    }
  }
}

extension [String] {
  /// Lines of generated code whose errors stand at a line of the source.
  func located(at location: AbstractSourceLocation?) -> [String] {
    guard let location else { return self }
    return ["#sourceLocation(file: \(location.file), line: \(location.line))"] + self + ["#sourceLocation()"]
  }
}
