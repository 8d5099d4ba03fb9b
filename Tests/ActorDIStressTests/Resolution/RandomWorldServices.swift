import ActorDI

extension ServiceKey where Service == Anchor {
  static var anchor: Self { .init("anchor") }
}

final class Anchor: Sendable {
  let probe: Probe
  init(_ census: Census) { probe = Probe(census) }
}

/// Always made synchronously.
final class Calm: Sendable {
  let probe: Probe
  let other: Wild?

  init(_ probe: Probe, _ other: Wild?) {
    self.probe = probe
    self.other = other
  }
}

/// Made in any way.
final class Wild: Sendable {
  let probe: Probe
  let calm: Calm?
  let next: Wild?

  init(_ probe: Probe, _ calm: Calm?, _ next: Wild?) {
    self.probe = probe
    self.calm = calm
    self.next = next
  }
}

final class Wired: Sendable {
  let first: Calm?
  let all: [Wild]

  init(first: Calm?, all: [Wild]) {
    self.first = first
    self.all = all
  }
}
