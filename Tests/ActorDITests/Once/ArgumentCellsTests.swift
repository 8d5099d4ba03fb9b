import ActorDITestSupport
import Testing

@testable import ActorDI

/// A value with a number as its identity and the same hash for all.
private struct Colliding: Hashable, Sendable {
  let number: Int
  func hash(into hasher: inout Hasher) {}
}

@Suite("Cells by argument values")
struct ArgumentCellsTests {
  private let cells = ArgumentCells()

  private func cell(_ number: Int) throws -> OnceCell {
    let values = try #require(ArgumentValues(Colliding(number: number)))
    return cells.cell(for: values) { OnceCell(ServiceIdentity(Probe.self)) }
  }

  private func fill(_ cell: OnceCell) throws -> Probe? {
    let instance = try cell.instance(for: Chain(nil), mode: .inline) { _ in
      Product(instance: Instance(holding: Probe()))
    }
    return instance?.value(as: Probe.self)
  }

  @Test func valuesWithTheSameHashHaveSeparateCells() throws {
    let all = try (0..<10).map { try cell($0) }
    #expect(Set(all.map(ObjectIdentifier.init)).count == 10)
    for (number, known) in all.enumerated() { #expect(try cell(number) === known) }
    #expect(cells.all.count == 10)
  }

  @Test("T1: a swept cell refuses its late callers")
  func sweptCell() throws {
    let swept = try cell(0)
    let full = try cell(1)
    let kept = try #require(try fill(full))
    for number in 2..<40 { _ = try cell(number) }
    #expect(cells.all.count < 40)
    #expect(try fill(swept) == nil, "The caller looks the cell up again")
    let successor = try cell(0)
    #expect(successor !== swept)
    #expect(try fill(successor) != nil)
    #expect(try cell(1) === full, "A cell with an instance is not swept")
    #expect(try fill(full) === kept)
  }

  @Test func aCellThatBuildsIsNotSwept() throws {
    let building = try cell(0)
    let probe = try building.instance(for: Chain(nil), mode: .inline) { _ in
      for number in 1..<40 { _ = try cell(number) }
      let again = try cell(0)
      #expect(again === building)
      return Product(instance: Instance(holding: Probe()))
    }
    #expect(probe != nil)
    #expect(cells.all.count < 40)
    #expect(try cell(0) === building)
  }

  @Test func retiredCellsKeepAndBuildNothing() throws {
    let old = try cell(0)
    _ = try fill(old)
    _ = cells.retire()
    #expect(old.existing() == nil)
    #expect(try fill(old) == nil)
    #expect(try fill(cell(0)) == nil)
    #expect(try fill(cell(1)) == nil)
    #expect(cells.all.count == 0)
  }

  @Test func valuesAreCompared() throws {
    func values<each Argument: Sendable>(_ arguments: repeat each Argument) throws -> ArgumentValues {
      let values = ArgumentValues(repeat each arguments)
      return try #require(values)
    }
    #expect(try values(1, "a").equals(values(1, "a")))
    #expect(try values(1, "a").hash == values(1, "a").hash)
    #expect(try !values(1, "a").equals(values(1, "b")))
    #expect(try !values(Int?.some(1)).equals(values(Int?.none)))
    #expect(try !values(1).equals(values(1, 1)))
    #expect(try values(Int?.none).equals(values(Int?.none)))
    #expect(try !values(Double.nan).equalsItself)
    #expect(ArgumentValues(1, Probe()) == nil)
    #expect(ArgumentValues(Optional(Probe())) == nil)
    #expect(try values([1], ["a": 1] as [String: Int]).equalsItself)
  }
}
