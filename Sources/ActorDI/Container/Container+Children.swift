// Containers below containers: making and finding them.
extension Container {
  /// Makes a container that finds here what it does not have itself: now, or when it is registered later.
  ///
  /// Keep what it returns as long as the child is used, in a property or by `withExtendedLifetime`: an optimised build lets go of a local
  /// variable after its last use, and with the child goes what it keeps.
  ///
  /// ```swift
  /// let child = app.makeChild { Registration(Session.self, scope: .singleton) { _ in Session() } }
  /// try await withExtendedLifetime(child) { try await run(child.resolve(Screen.self)) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: for messages, and for ``child(named:)``.
  ///   - configuration: how the child behaves where a registration does not say; as this container, if left out.
  ///   - registrations: the child's initial registrations; see ``RegistrationBuilder``.
  /// - Returns: the child. It keeps its parent alive, and is itself kept by its users only.
  /// - Complexity: O(*n*) in the number of registrations.
  /// - Concurrency: from any thread.
  public nonisolated func makeChild(
    name: String = "child", configuration: Configuration? = nil,
    @RegistrationBuilder _ registrations: @escaping @Sendable () -> Registrations = {
      Registrations()
    }
  ) -> Container {
    Container(
      name: name, parent: self, configuration: configuration ?? self.configuration, registrations)
  }

  /// The child of a name.
  ///
  /// - Parameter name: the child's ``name``.
  /// - Returns: of several children of that name the first that was made and is still in use; nil if there is none.
  /// - Complexity: O(*n*) in the number of children.
  /// - Concurrency: from any thread.
  public nonisolated func child(named name: String) -> Container? {
    children.first { $0.name == name }
  }

  /// This container and all that are below it and in use, parents before their children.
  nonisolated var familyTree: some Sequence<Container> {
    sequence(state: [self]) { pending in
      guard let container = pending.popLast() else { return nil }
      pending += container.children.reversed()
      return container
    }
  }

  /// The containers whose parent this is: those that somebody holds, and the scopes that are open.
  nonisolated var children: [Container] {
    (lazyFamily.load()?.children ?? []) + scopes
  }

  /// The scopes that are open in it.
  nonisolated var scopes: [Container] { lifecycle.ownersOfOpenScopes.compactMap { $0 as? Container } }

  nonisolated var family: Family { lazyFamily.load() ?? lazyFamily.storeIfNil(Family()) }

  /// Whether a container is this one's parent, or its, or itself.
  nonisolated func isBelow(_ container: Container) -> Bool {
    sequence(first: self, next: \.parent).contains { $0 === container }
  }
}
