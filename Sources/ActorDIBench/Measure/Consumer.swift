// Consumers of the measured operations' results.
//
// Each consumer borrows its argument and does nothing. Because consumers are not optimised, the compiler does not know that they are
// empty or that the argument is unused. The caller must therefore have the value ready, and keep it alive during the call. Every
// contender of a scenario calls the same consumer.
//
// Consumers differ in their number of parameters. LLVM merges functions that differ only in their callees, and would turn the loops
// over different types into one loop of indirect calls.

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

/// Returns a number that the optimiser cannot know. Otherwise a service could become a constant of the binary, whose reference count
/// would cost nothing.
@inline(never) @_optimize(none)
func opaque(_ number: Int) -> Int { number }

/// Runs the body the given number of times.
///
/// Always inlined, so that the loop contains the body's code and no closure call.
@inline(__always)
func repeating(_ count: Int, _ body: () throws -> Void) rethrows {
  var done = 0
  while done < count {
    try body()
    done &+= 1
  }
}
