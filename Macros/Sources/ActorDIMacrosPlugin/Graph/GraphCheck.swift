import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Finds the mistakes that the declaration of a graph shows: duplicates, cycles, captives, and asynchronous providers behind synchronous
/// ones. What is missing, the type checker finds; see ``ProvisionWriter``.
struct GraphCheck {
  private let providers: [ProviderSyntax]
  private let needs: [[Need]]
  private(set) var problems: [Problem] = []

  /// A dependency of a provider on another.
  private struct Need {
    let dependency: Dependency
    let target: Int
    /// Whether the dependency is resolved after the construction.
    let isDeferred: Bool
  }

  init(_ providers: [ProviderSyntax]) {
    self.providers = providers
    let named = Dictionary(grouping: providers.indices.filter { !providers[$0].takesArguments }) {
      providers[$0].identity
    }
    let typed = Dictionary(grouping: providers.indices) { providers[$0].identity.type }
    needs = providers.enumerated().map { index, provider in
      provider.dependencies.filter(\.isResolved).flatMap { dependency -> [Need] in
        let related = dependency.type.related
        let targets: [Int] =
          switch related.relation {
          case .builtIn: []
          // A composite takes all services of its type but itself.
          case .collection where dependency.key == nil: (typed[dependency.identity.type] ?? []).filter { $0 != index }
          default: Array((named[dependency.identity] ?? []).prefix(1))
          }
        return targets.map { Need(dependency: dependency, target: $0, isDeferred: related.isDeferred) }
      }
    }
    findDuplicates()
    findCycles()
    findCaptives()
    findSynchronous()
  }

  // MARK: - Duplicates

  private mutating func findDuplicates() {
    var first: [[String]: ProviderSyntax] = [:]
    for provider in providers {
      let arguments = provider.dependencies.filter(\.isArgument).map { $0.type.ofValue.trimmedDescription }
      let identity = [provider.identity.type, provider.identity.key ?? "", arguments.joined(separator: ",")]
      if let other = first[identity] {
        problems.append(
          Problem(
            at: provider.node,
            "'\(provider.name)' and '\(other.name)' both provide \(provider.identity.quoted): remove one, or give it a key",
            notes: [Note(at: other.node, "'\(other.name)' is here")]))
      } else {
        first[identity] = provider
      }
    }
  }

  // MARK: - Cycles

  private mutating func findCycles() {
    var isDone = Array(repeating: false, count: providers.count)
    for start in providers.indices where !isDone[start] {
      var path: [(provider: Int, next: Int)] = [(start, 0)]
      while let (provider, next) = path.last {
        let needs = needs[provider]
        guard next < needs.count else {
          isDone[provider] = true
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let need = needs[next]
        if need.isDeferred || isDone[need.target] { continue }
        if let begin = path.firstIndex(where: { $0.provider == need.target }) {
          addCycle(path[begin...].map { self.needs[$0.provider][$0.next - 1] }, from: need.target)
          // One cycle through the provider is enough.
          isDone[provider] = true
          path.removeLast()
        } else {
          path.append((need.target, 0))
        }
      }
    }
  }

  /// - Parameter cycle: The dependencies of the cycle, beginning with one of the first provider.
  private mutating func addCycle(_ cycle: [Need], from first: Int) {
    let names = cycle.map { "'\(providers[$0.target].name)'" }
    let last = cycle[cycle.count - 1]
    problems.append(
      Problem(
        at: last.dependency.node,
        "a cycle: '\(providers[first].name)' needs \(names.joined(separator: ", which needs ")). "
          + "Take one of them later, as '\(last.dependency.later)'",
        notes: cycle.dropLast().map { need in
          Note(at: need.dependency.node, "'\(providers[need.target].name)' is needed here")
        }))
  }

  // MARK: - Captives

  /// Finds scoped services that a singleton would keep, directly or by services that have no scope to end with.
  private mutating func findCaptives() {
    for (index, provider) in providers.enumerated() where provider.function != nil && provider.isSingleton {
      var seen: Set<Int> = [index]
      for need in needs[index] where !need.isDeferred {
        var path: [Int] = []
        if let captive = captive(at: need.target, &seen, &path) {
          let (holder, kept) = (provider, providers[captive])
          let way =
            path.isEmpty ? "" : ", by way of \(path.map { "'\(providers[$0].name)'" }.joined(separator: " and "))"
          problems.append(
            Problem(
              at: need.dependency.node,
              "'\(holder.name)' is a singleton, but would keep '\(kept.name)'\(way), whose scope ends earlier: "
                + "make '\(holder.name)' scoped, or take 'Provider<\(need.dependency.type.related.service)>'",
              notes: [Note(at: kept.node, "'\(kept.name)' is scoped")]))
        }
      }
    }
  }

  private func captive(at index: Int, _ seen: inout Set<Int>, _ path: inout [Int]) -> Int? {
    let provider = providers[index]
    if provider.scopeName == "scoped" { return index }
    guard !provider.isSingleton, seen.insert(index).inserted else { return nil }
    path.append(index)
    for need in needs[index] where !need.isDeferred {
      if let found = captive(at: need.target, &seen, &path) { return found }
    }
    path.removeLast()
    return nil
  }

  // MARK: - Asynchrony

  /// As in other Swift code, only an asynchronous function can wait for an asynchronous one.
  private mutating func findSynchronous() {
    for (provider, needs) in zip(providers, needs) where !provider.isAsync {
      guard let function = provider.function,
        let need = needs.first(where: { !$0.isDeferred && providers[$0.target].isAsync })
      else { continue }
      problems.append(
        Problem(
          at: need.dependency.node,
          "'\(provider.name)' is synchronous, but needs '\(providers[need.target].name)', which is asynchronous: "
            + "make '\(provider.name)' 'async'",
          fixIts: [function.makingAsync],
          notes: [Note(at: providers[need.target].node, "'\(providers[need.target].name)' is here")]))
    }
  }
}

extension Dependency {
  /// The type that resolves the dependency later.
  fileprivate var later: String { "Lazy<\(type.related.service)>" }
}

extension FunctionDeclSyntax {
  fileprivate var makingAsync: FixIt {
    let text = "make '\(name.text)' 'async'"
    if let effects = signature.effectSpecifiers { return .insert("async ", before: effects, text) }
    return .insert(" async", after: signature.parameterClause, text)
  }
}
