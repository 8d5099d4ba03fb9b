import ActorDI

// The forms of synchronous code. The closures of `repeating` and `synchronously` are synchronous, so the container's synchronous
// functions are called.
extension Form {
  static let synchronous: [Form] = [
    transient, argument, hook, alias, decorated, stringKey,
    providerCall, requiredParameter, lazyParameter, providerParameter, optionalParameter, absentParameter,
    arrayParameter, dictionaryParameter,
    graphAlone, graphShared,
    value, largeValue, largeParameter, injected, contains, missing,
  ]

  // MARK: - Transients

  static let transient = Form("transient", .transients) { world in
    try synchronously { try world.container.resolve(FormWorld.Part.self).weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Part.self)) }
  }

  static let argument = Form("transient with an argument", .transients) { world in
    try synchronously { try world.container.resolve(FormWorld.Labelled.self, arguments: 7).label == 7 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Labelled.self, arguments: count)) }
  }

  static let hook = Form("transient with a hook", .transients) { world in
    try synchronously { try world.container.resolve(FormWorld.Hooked.self).weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Hooked.self)) }
  }

  static let alias = Form("transient by alias", .transients) { world in
    try synchronously { try world.container.resolve((any FormWorld.Shape).self) is FormWorld.Circle }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve((any FormWorld.Shape).self)) }
  }

  static let decorated = Form("transient, decorated", .transients) { world in
    try synchronously { try world.container.resolve(FormWorld.Decorated.self).weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Decorated.self)) }
  }

  static let stringKey = Form("transient by string key", .transients) { world in
    try synchronously { try world.container.resolve(FormWorld.Part.self, key: "spare").weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Part.self, key: "spare")) }
  }

  // MARK: - Dependencies

  static let providerCall = Form("provider call", .dependencies) { world in
    try synchronously { try world.provider().weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.provider()) }
  }

  static let requiredParameter = Form("required parameter", .dependencies) { world in
    try synchronously { try world.container.resolve(FormWorld.RequiringPart.self).part.weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.RequiringPart.self)) }
  }

  static let lazyParameter = Form("Lazy parameter", .dependencies) { world in
    try synchronously { try world.container.resolve(FormWorld.LazyPart.self).part().weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.LazyPart.self)) }
  }

  static let providerParameter = Form("Provider parameter", .dependencies) { world in
    try synchronously { try world.container.resolve(FormWorld.ProvidedPart.self).part().weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.ProvidedPart.self)) }
  }

  static let optionalParameter = Form("optional parameter", .dependencies) { world in
    try synchronously { try world.container.resolve(FormWorld.OptionalPart.self).part?.weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.OptionalPart.self)) }
  }

  static let absentParameter = Form("optional parameter, not registered", .dependencies) { world in
    try synchronously { try world.container.resolve(FormWorld.WithoutPart.self).part == nil }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.WithoutPart.self)) }
  }

  static let arrayParameter = Form("array parameter, two elements", .dependencies) { world in
    try synchronously { try world.container.resolve(FormWorld.Drawing.self).shapes.map(\.corners) == [4, 0] }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Drawing.self)) }
  }

  static let dictionaryParameter = Form("dictionary parameter, one element", .dependencies) { world in
    try synchronously { try world.container.resolve(FormWorld.Spares.self).parts["spare"]?.weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Spares.self)) }
  }

  static let graphAlone = Form(".graph service, alone", .dependencies) { world in
    try synchronously { try world.container.resolve(FormWorld.Shared.self).weight == 1 }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Shared.self)) }
  }

  static let graphShared = Form(".graph service, shared by two", .dependencies) { world in
    try synchronously {
      let sharing = try world.container.resolve(FormWorld.Sharing.self)
      return sharing.shared === sharing.inner.shared
    }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Sharing.self)) }
  }

  // MARK: - Values, lookups and errors

  static let value = Form("value, registered instance", .lookups) { world in
    try synchronously { try world.container.resolve(FormWorld.Settings.self).port == FormWorld.Settings.port }
  } run: { world, count in
    try repeating(count) { _ = opaque(try world.container.resolve(FormWorld.Settings.self).port) }
  }

  static let largeValue = Form("large value, registered instance", .lookups) { world in
    try synchronously { try world.container.resolve(FormWorld.Page.self).number == FormWorld.Page.number }
  } run: { world, count in
    try repeating(count) { _ = opaque(try world.container.resolve(FormWorld.Page.self).number) }
  }

  static let largeParameter = Form("large value as a parameter", .lookups) { world in
    try synchronously { try world.container.resolve(FormWorld.Printed.self).number == FormWorld.Page.number }
  } run: { world, count in
    try repeating(count) { consume(try world.container.resolve(FormWorld.Printed.self)) }
  }

  static let injected = Form("injected property", .lookups) { world in
    try synchronously { try Injected<FormWorld.Settings>(from: world.container)().port == FormWorld.Settings.port }
  } run: { world, count in
    let settings = Injected<FormWorld.Settings>(from: world.container)
    try repeating(count) { _ = opaque(try settings().port) }
  }

  static let contains = Form("contains", .lookups) { world in
    world.container.contains(FormWorld.Part.self) && !world.container.contains(FormWorld.Absent.self)
  } run: { world, count in
    repeating(count) { _ = opaque(world.container.contains(FormWorld.Part.self) ? 1 : 0) }
  }

  static let missing = Form("missing service's error", .lookups) { world in
    synchronously {
      do {
        consume(try world.container.resolve(FormWorld.Absent.self))
        return false
      } catch {
        return (error as? ResolutionError)?.code == .notRegistered
      }
    }
  } run: { world, count in
    repeating(count) { _ = opaque((try? world.container.resolve(FormWorld.Absent.self)) == nil ? 1 : 0) }
  }
}
