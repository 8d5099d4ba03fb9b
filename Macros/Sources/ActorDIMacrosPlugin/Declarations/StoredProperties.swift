import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Reads the stored properties that a memberwise initialiser sets: those without a default value.
struct PropertyReader {
  private(set) var dependencies: [Dependency] = []
  private(set) var problems: [Problem] = []
  /// The markers on stored properties of any kind, for types whose initialiser makes them useless.
  private(set) var markers: [(AttributeSyntax, String)] = []

  init(_ members: [DeclSyntax]) {
    for member in members {
      if let variable = member.as(VariableDeclSyntax.self) { read(variable) }
    }
  }

  /// Property wrappers that have a value of their own.
  private static let selfContained = ["Injected", "Dependencies", "Environment", "Query", "FetchRequest"]

  private mutating func read(_ variable: VariableDeclSyntax) {
    let marks = Marker.of(variable.attributes)
    let name = variable.bindings.first?.pattern.trimmedDescription ?? ""
    for (_, attribute) in marks { markers.append((attribute, name)) }
    guard !variable.modifiers.isStatic, !variable.modifiers.contains(.lazy) else {
      return refuse(marks, variable, "is not set by an initialiser")
    }
    let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
    if variable.attributes.attributes.contains(where: { Self.selfContained.contains($0.name) }) { return }
    for (binding, type) in variable.typedBindings { read(binding, type, of: variable, isVariable, marks) }
  }

  private mutating func read(
    _ binding: PatternBindingSyntax, _ type: TypeSyntax?, of variable: VariableDeclSyntax, _ isVariable: Bool,
    _ marks: [(Marker, AttributeSyntax)]
  ) {
    if binding.isComputed { return refuse(marks, variable, "is computed") }
    if binding.initializer != nil { return refuse(marks, variable, "has a value of its own") }
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
      problems.append(.severalProperties(in: binding.pattern))
      return
    }
    guard let type else { return }
    // A variable of an optional type is nil by itself, so only a marker makes it a dependency.
    if isVariable, type.isNilByDefault, marks.isEmpty { return }
    // A property wrapper or macro may have a value of its own.
    let isWrapped = variable.attributes.attributes.contains { Marker(rawValue: $0.name) == nil }
    var reader = MarkerReader(
      variable.attributes, of: "property '\(name)'", type, hasDefault: isVariable && (type.isNilByDefault || isWrapped))
    let source = reader.source()
    problems += reader.problems
    dependencies.append(Dependency(label: name, name: name, type: type, source: source, node: Syntax(variable)))
  }

  private mutating func refuse(_ marks: [(Marker, AttributeSyntax)], _ variable: VariableDeclSyntax, _ reason: String) {
    guard let (marker, attribute) = marks.first, marker != .useDefault else { return }
    let name = variable.bindings.first?.pattern.trimmedDescription ?? ""
    problems.append(
      Problem(
        at: attribute, "property '\(name)' \(reason), so '@\(attribute.name)' has no effect: remove the marker",
        fixIts: [.remove(attribute)]))
  }
}

extension Problem {
  /// A pattern such as a tuple, whose parts have no types of their own.
  static func severalProperties(in pattern: PatternSyntax) -> Problem {
    Problem(at: pattern, "'\(pattern.trimmed)' is several properties in one: declare each on a line of its own")
  }
}

extension VariableDeclSyntax {
  /// The bindings with their stated types. In `let a, b: Int`, the type of `a` is that of `b`.
  var typedBindings: [(PatternBindingSyntax, TypeSyntax?)] {
    var type: TypeSyntax?
    let reversed = bindings.reversed().map { binding in
      if binding.typeAnnotation != nil || binding.initializer != nil { type = binding.typeAnnotation?.type }
      return (binding, type)
    }
    return reversed.reversed()
  }
}

extension PatternBindingSyntax {
  /// Whether the binding has a getter. Observers alone leave it stored.
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case .getter: true
    case .accessors(let list):
      list.contains { ![.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    case nil: false
    }
  }
}

extension TypeSyntax {
  /// Whether a variable of the type is nil by itself. One of `Optional<T>` is not.
  var isNilByDefault: Bool { self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) }
}
