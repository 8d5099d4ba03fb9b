/// Sixteen booleans in two bytes, since a large registry has a hundred thousand sets of them.
///
/// Not an `OptionSet`: each such type brings a dozen generic operations, which the compiler specialises in every file that uses one.
struct Bits16: Sendable {
  private var bits: UInt16 = 0

  subscript(position: UInt16) -> Bool {
    get { bits & (1 &<< position) != 0 }
    set {
      let bit: UInt16 = 1 &<< position
      bits = newValue ? bits | bit : bits & ~bit
    }
  }
}
