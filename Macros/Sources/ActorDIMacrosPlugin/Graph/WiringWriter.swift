import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the direct construction of a graph's services: nested calls of the providers, without a container.
struct WiringWriter {
  private let graph: Owner
  private let providers: [ProviderSyntax]
  private let indices: [ServiceName: Int]
  /// Why only a container can make the service of a provider; nil if the wiring can.
  private var hindrances: [String?]
  /// Whether making the service throws, with all its dependencies.
  private var throwing: [Bool]
  /// The singletons of the wiring, dependencies first.
  private var singletons: [Int] = []

  init(_ graph: Owner, _ providers: [ProviderSyntax]) {
    self.graph = graph
    self.providers = providers
    indices = Dictionary(
      providers.indices.filter { !providers[$0].takesArguments }.map { (providers[$0].identity, $0) },
      uniquingKeysWith: { first, _ in first })
    hindrances = providers.map { _ in nil }
    throwing = providers.map(\.isThrowing)
    var seen: Set<Int> = []
    for index in providers.indices { visit(index, &seen) }
  }

  // MARK: - What can be wired

  private mutating func visit(_ index: Int, _ seen: inout Set<Int>) {
    guard seen.insert(index).inserted else { return }
    let provider = providers[index]
    // In the order of the parameters, so that the same source always gives the same code.
    let targets = targets(of: provider)
    let needed = provider.dependencies.compactMap { targets[$0.name] }
    for target in needed { visit(target, &seen) }
    hindrances[index] = hindrance(of: index)
    throwing[index] = provider.isThrowing || needed.contains { !providers[$0].isSingleton && throwing[$0] }
    if hindrances[index] == nil, provider.isSingleton, provider.function != nil { singletons.append(index) }
  }

  /// The providers of the dependencies that are services themselves, by the dependencies' names.
  private func targets(of provider: ProviderSyntax) -> [String: Int] {
    var targets: [String: Int] = [:]
    for dependency in provider.dependencies where dependency.isResolved && dependency.type.related.isImmediateService {
      targets[dependency.name] = indices[dependency.identity]
    }
    return targets
  }

  private func hindrance(of index: Int) -> String? {
    let provider = providers[index]
    if let scope = provider.scope, !["singleton", "transient"].contains(provider.scopeName) {
      return "its scope is '\(scope.trimmed)'"
    }
    if isNameTaken(index) { return "another provider has this name" }
    if provider.isSingleton, provider.takesArguments { return "it is a singleton for each of its arguments" }
    let targets = targets(of: provider)
    for dependency in provider.dependencies where dependency.isResolved {
      guard dependency.type.related.isImmediateService else { return "it takes '\(dependency.type.trimmed)'" }
      guard let target = targets[dependency.name] else {
        return "no provider of this graph states '\(dependency.type.trimmed)' in the same spelling"
      }
      if hindrances[target] != nil { return "it needs '\(providers[target].name)', which only a container makes" }
      // A singleton of the wiring exists already.
      if !providers[target].isSingleton, isolation(of: target) != isolation(of: index) {
        return "it needs '\(providers[target].name)', which runs on another actor"
      }
    }
    if provider.isSingleton, provider.function != nil, let first = singletons.first,
      isolation(of: first) != isolation(of: index)
    {
      return "'\(providers[first].name)' is a singleton on another actor"
    }
    return nil
  }

  /// Whether an earlier provider has the same name, with other parameters. A member of the wiring has none of them.
  private func isNameTaken(_ index: Int) -> Bool {
    providers.prefix(index).contains { $0.name == providers[index].name }
  }

  private func isolation(of index: Int) -> String { providers[index].function?.isolation ?? "" }

  // MARK: - Members

  var members: [DeclSyntax] {
    let isAsync = singletons.contains { providers[$0].isAsync }
    let isThrowing = singletons.contains { throwing[$0] }
    let effects = (isAsync ? " async" : "") + (isThrowing ? " throws" : "")
    let isolation = singletons.first.map(isolation) ?? ""
    let properties = singletons.map { index in
      "\(access(of: index))let \(providers[index].name): \(providers[index].service)"
    }
    let assignments = singletons.map { "self.\(providers[$0].name) = \(made($0, fromInitializer: true))" }
    let methods = providers.indices.compactMap(method)
    let actor = graph.attributes.globalActor.map { "@\($0.attributeName.trimmed) " } ?? ""
    return [
      """
      /// The services of the graph, made without a container.
      \(raw: actor)\(raw: graph.access)struct Wiring {
      private let _graph: \(raw: graph.name)
      \(raw: properties.joined(separator: "\n"))
      \(raw: isolation)fileprivate init(_ graph: \(raw: graph.name))\(raw: effects) {
        _graph = graph
        \(raw: assignments.joined(separator: "\n"))
      }
      \(raw: methods.joined(separator: "\n"))
      }
      """,
      """
      /// Makes the singletons of the graph, without a container.
      ///
      /// - Returns: The wiring, which makes the other services.
      \(raw: isolation)\(raw: graph.access)func wired()\(raw: effects) -> Wiring {
        \(raw: effectKeywords(isAsync, isThrowing))Wiring(self)
      }
      """,
    ]
  }

  /// The members of a graph with a mistake.
  var placeholders: [DeclSyntax] {
    let members = providers.indices.filter { !isNameTaken($0) }.map { index -> String in
      let provider = providers[index]
      if provider.isSingleton {
        return "\(access(of: index))var \(provider.name): \(provider.service) { fatalError() }"
      }
      return
        "\(access(of: index))func \(provider.name)(\(parameters(of: provider)))\(effects(of: index)) -> \(provider.service) { fatalError() }"
    }
    return [
      """
      \(raw: graph.access)struct Wiring {
      \(raw: members.joined(separator: "\n"))
      }
      """,
      "\(raw: graph.access)func wired() -> Wiring { fatalError() }",
    ]
  }

  private func access(of index: Int) -> String {
    let provider = providers[index]
    return provider.isPrivate ? "fileprivate " : provider.isExported ? graph.access : ""
  }

  private func effects(of index: Int) -> String {
    (providers[index].isAsync ? " async" : "") + (throwing[index] ? " throws" : "")
  }

  private func method(_ index: Int) -> String? {
    let provider = providers[index]
    if isNameTaken(index) { return nil }
    if let hindrance = hindrances[index] {
      return """
        @available(*, unavailable, message: \("only a container makes '\(provider.name)': \(hindrance)".asLiteral))
        \(access(of: index))func \(provider.name)() -> \(provider.service) { fatalError() }
        """
    }
    guard !provider.isSingleton else { return nil }
    return """
      \(isolation(of: index))\(access(of: index))func \(provider.name)(\(parameters(of: provider)))\(effects(of: index)) -> \(provider.service) {
        \(made(index, fromInitializer: false))
      }
      """
  }

  /// The parameters that callers pass.
  private func parameters(of provider: ProviderSyntax) -> String {
    guard let function = provider.function else { return "" }
    return zip(function.signature.parameterClause.parameters, provider.dependencies).filter { $1.isArgument }.map {
      parameter, dependency in
      parameter.with(\.trailingComma, nil).trimmed.withoutMarkers.named(dependency.name).trimmedDescription
    }.joined(separator: ", ")
  }

  // MARK: - Calls

  private func made(_ index: Int, fromInitializer: Bool) -> String {
    effectKeywords(providers[index].isAsync, throwing[index]) + call(index, fromInitializer)
  }

  private func effectKeywords(_ isAsync: Bool, _ isThrowing: Bool) -> String {
    (isThrowing ? "try " : "") + (isAsync ? "await " : "")
  }

  /// The call of a provider. In the initialiser, the calls of its dependencies are nested in it, because the methods need a complete
  /// wiring.
  private func call(_ index: Int, _ fromInitializer: Bool) -> String {
    let provider = providers[index]
    let graph = fromInitializer ? "graph" : "_graph"
    guard let function = provider.function else { return "\(graph).\(provider.name)" }
    let targets = targets(of: provider)
    let list = zip(function.signature.parameterClause.parameters, provider.dependencies).filter { !$1.isLeftOut }.map {
      parameter, dependency in
      dependency.labelText
        + (targets[dependency.name].map { supply($0, fromInitializer) } ?? parameter.passing(dependency.name))
    }
    return "\(graph).\(provider.name)(\(list.joined(separator: ", ")))"
  }

  private func supply(_ index: Int, _ fromInitializer: Bool) -> String {
    let provider = providers[index]
    if provider.isSingleton, provider.function != nil { return "self.\(provider.name)" }
    return fromInitializer || provider.function == nil ? call(index, fromInitializer) : "self.\(provider.name)()"
  }
}
