// Where the results of the measured operations go.
//
// Each consumer borrows its argument and does nothing. Without optimisation the compiler knows
// neither that it is empty nor that the argument is unused, so the caller must have the value
// ready, and must keep it alive over the call. Every contender of a scenario calls the same one.
//
// They differ in the number of their parameters because LLVM merges functions that differ in nothing
// but whom they call: the loops over different types would become one loop of indirect calls.

@inline(never) @_optimize(none)
func consume(_ service: borrowing any Greeter) {}

@inline(never) @_optimize(none)
func consume(_ leaf: borrowing Leaf) {}

@inline(__always)
func consume(_ root: borrowing GraphRoot) { take(root, 1) }

@inline(__always)
func consume(_ root: borrowing Link9) { take(root, 1, 2) }

@inline(__always)
func consume(_ bystander: borrowing Bystander) { take(bystander, 1, 2, 3) }

@inline(never) @_optimize(none)
private func take(_ root: borrowing GraphRoot, _ one: Int) {}

@inline(never) @_optimize(none)
private func take(_ root: borrowing Link9, _ one: Int, _ two: Int) {}

@inline(never) @_optimize(none)
private func take(_ bystander: borrowing Bystander, _ one: Int, _ two: Int, _ three: Int) {}

/// A number that the optimiser cannot know, so that no service becomes a constant of the binary
/// (whose reference count would be free).
@inline(never) @_optimize(none)
func opaque(_ number: Int) -> Int { number }

/// Runs the body so many times.
///
/// Always inlined, so that the body's closure is gone and the loop holds what the body says.
@inline(__always)
func repeating(_ count: Int, _ body: () throws -> Void) rethrows {
  var done = 0
  while done < count {
    try body()
    done &+= 1
  }
}
