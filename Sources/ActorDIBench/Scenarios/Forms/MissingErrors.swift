import ActorDI

/// P25: the error of a missing service, thrown and caught, whose description nobody reads.
struct MissingErrors: Scenario {
  static let name = "missing-error"
  static let summary = "a missing service's error, thrown and caught, with n registrations"

  static let counts = [10, 1_000]

  let lanes = Lanes.registrations(MissingErrors.counts)
  let expectedAnswer = 1

  func contenders() -> [Contender] {
    let containers = Sized { count in
      Container { ManyServices.registrations(count, .type) }
    }
    return [
      Contender(
        name: ContenderName.container, role: .container,
        answer: { Self.isMissing(in: try containers[Self.counts[0]]) ? 1 : 0 },
        work: .onOneThread { lane in
          let container = try containers[lane]
          return { count in repeating(count) { _ = opaque(Self.isMissing(in: container) ? 1 : 0) } }
        })
    ]
  }

  @inline(__always)
  private static func isMissing(in container: Container) -> Bool {
    do {
      consume(try container.resolve(Leaf.self))
      return false
    } catch {
      return true
    }
  }
}
