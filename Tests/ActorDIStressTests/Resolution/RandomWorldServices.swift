import ActorDI

extension ServiceKey where Service == Anchor {
  static var anchor: Self { .init("anchor") }
}

final class Anchor: Sendable {
  let probe: Probe
  init(_ census: Census) { probe = Probe(census) }
}

/// A service whose factory is always synchronous.
final class SynchronousService: Sendable {
  let probe: Probe
  let other: MixedService?

  init(_ probe: Probe, _ other: MixedService?) {
    self.probe = probe
    self.other = other
  }
}

/// A service whose factory is synchronous or asynchronous.
final class MixedService: Sendable {
  let probe: Probe
  let synchronous: SynchronousService?
  let next: MixedService?

  init(_ probe: Probe, _ synchronous: SynchronousService?, _ next: MixedService?) {
    self.probe = probe
    self.synchronous = synchronous
    self.next = next
  }
}

final class WiredService: Sendable {
  let first: SynchronousService?
  let all: [MixedService]

  init(first: SynchronousService?, all: [MixedService]) {
    self.first = first
    self.all = all
  }
}
