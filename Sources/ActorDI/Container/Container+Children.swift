// Creation and enumeration of child containers.
extension Container {
  /// Creates a child: a container that searches this one for services that it does not have itself.
  ///
  /// The child also finds services that are registered here later.
  ///
  /// Keep the returned child as long as it is used, in a property or with `withExtendedLifetime`. An optimised build
  /// releases a local variable after its last use, and the instances that the child keeps go with it.
  ///
  /// ```swift
  /// let child = app.makeChild {
  ///   Registration(autowired: Session.self, scope: .singleton) { Session() }
  /// }
  /// try await withExtendedLifetime(child) { try await run(child.resolve(Screen.self)) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name for messages, and for ``child(named:)``.
  ///   - configuration: The behaviour of the child where a registration does not specify it; by default that of this
  ///     container.
  ///   - registrations: The child's initial registrations; see ``RegistrationBuilder``.
  /// - Returns: The child. It keeps its parent alive, but the parent does not keep the child alive.
  /// - Complexity: O(*n*) in the number of registrations.
  /// - Concurrency: Callable from any thread.
  public nonisolated func makeChild(
    name: String = "child", configuration: Configuration? = nil,
    @RegistrationBuilder _ registrations: @escaping @Sendable () -> Registrations = { Registrations() }
  ) -> Container {
    Container(name: name, parent: self, configuration.map(Settings.init) ?? settings, registrations)
  }

  /// Returns the child with a name.
  ///
  /// - Parameter name: The child's ``name``.
  /// - Returns: The oldest child of that name that is in use and no scope. If there is none, an open scope of that name; nil if there is
  ///   none, either.
  /// - Complexity: O(*n*) in the number of children.
  /// - Concurrency: Callable from any thread.
  public nonisolated func child(named name: String) -> Container? { children.first { $0.name == name } }

  /// This container and all containers below it that are in use, parents before their children.
  nonisolated var familyTree: some Sequence<Container> { tree(\.children) }

  /// This container and all containers that end before it, including those of override layers.
  nonisolated var subordinateTree: some Sequence<Container> { tree(\.subordinates) }

  private nonisolated func tree(_ next: @escaping (Container) -> [Container]) -> some Sequence<Container> {
    sequence(state: [self]) { pending in
      guard let container = pending.popLast() else { return nil }
      pending += next(container).reversed()
      return container
    }
  }

  /// The containers with this one as their parent: children in use and open scopes.
  nonisolated var children: [Container] { listedSubordinates.filter { $0.substitution == nil } + scopes }

  /// The containers that keep instances for override layers in place of this one, those of enclosing layers first.
  private nonisolated var substitutes: [Container] {
    let all = listedSubordinates.filter { $0.substitution != nil }
    return all.sorted { ($0.substitution?.depth ?? 0) < ($1.substitution?.depth ?? 0) }
  }

  /// The containers that end before this one, the last one first: its children and substitutes.
  nonisolated var subordinates: [Container] { children + substitutes }

  /// The open scopes of this container.
  nonisolated var scopes: [Container] { lifecycle.scopes.owners.compactMap { $0 as? Container } }

  /// The subordinates except for scopes, held weakly: their users, and the layers, keep them alive.
  private nonisolated var subordinateList: WeakList<Container> { lazySubordinateList.load(orStore: WeakList()) }

  /// The subordinates except for scopes. In a closing container, a child that is not found here finds the closed mark: the question whether
  /// there is a list is in one order with that mark, as the making of the list is with the look in ``listBelow(_:)``.
  private nonisolated var listedSubordinates: [Container] {
    lazySubordinateList.isSet ? lazySubordinateList.load()?.all ?? [] : []
  }

  /// Lists the container among those that end before its parent.
  nonisolated func listBelow(_ parent: Container) {
    parent.subordinateList.add(self)
    // Added before this check, so a thread that closes the parent after the check finds this container.
    if parent.lifecycle.isClosed { _ = closeAtOnce(after: .shutDown) }
  }

  /// The container and its ancestors, nearest first.
  nonisolated var lineage: UnfoldSequence<Container, (Container?, Bool)> { sequence(first: self) { $0.parent } }

  /// Whether a container is this one or one of its ancestors.
  nonisolated func isSameOrBelow(_ container: Container) -> Bool { lineage.contains { $0 === container } }
}
