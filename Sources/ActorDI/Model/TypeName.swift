enum TypeName {
  /// A type's name as written in source, without modules: `any Store`, `Int?`.
  static func short(_ type: any Any.Type) -> String { written(type) { _typeName($0, qualified: false) } }

  /// A type's name as written in source, with modules.
  static func full(_ type: any Any.Type) -> String { written(type) { _typeName($0, qualified: true) } }

  /// A type's name that is the same in every run. The runtime distinguishes private types of one name by an address, which is
  /// omitted.
  static func stable(_ type: any Any.Type) -> String {
    let parts = full(type).split(separator: "(unknown context at $", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { $0.drop { $0 != "." }.dropFirst() }
    return String(parts[0]) + rest.joined()
  }

  /// Whether a type is `any P`.
  static func isExistential(_ type: any Any.Type) -> Bool {
    // The runtime names an existential's metatype a protocol's. `Any` and `AnyObject` are written without `any`.
    type != Any.self && type != AnyObject.self
      && (_typeName(Swift.type(of: type), qualified: false).hasSuffix(".Protocol")
        || _typeName(type, qualified: false).hasPrefix("any "))
  }

  /// - Parameter name: The runtime's name of a type, which omits most `any` and has no signs such as `?`.
  private static func written(_ type: any Any.Type, _ name: (any Any.Type) -> String) -> String {
    if let type = type as? any NamedByParts.Type { return type.name { written($0, name) } }
    let text = name(type)
    return isExistential(type) && !text.hasPrefix("any ") ? "any \(text)" : text
  }
}

/// A generic type whose name is composed from those of its arguments.
protocol NamedByParts {
  static func name(_ nameOfPart: (any Any.Type) -> String) -> String
}

extension Optional: NamedByParts {
  static func name(_ nameOfPart: (any Any.Type) -> String) -> String {
    let wrapped = nameOfPart(Wrapped.self)
    return TypeName.isExistential(Wrapped.self) ? "(\(wrapped))?" : "\(wrapped)?"
  }
}

extension Array: NamedByParts {
  static func name(_ nameOfPart: (any Any.Type) -> String) -> String { "[\(nameOfPart(Element.self))]" }
}

extension Dictionary: NamedByParts {
  static func name(_ nameOfPart: (any Any.Type) -> String) -> String {
    "[\(nameOfPart(Key.self)): \(nameOfPart(Value.self))]"
  }
}
