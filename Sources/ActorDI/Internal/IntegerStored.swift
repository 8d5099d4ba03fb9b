/// A value that is stored as integers: the last property of each error type that a public function declares to throw.
///
/// A program that passes such an error on as `any Error` stores its fields. If the last one were a pointer, LLVM could
/// merge its store with one that sets the error of another call. The compiler then crashes (`CoroSplit`, Swift 6.3,
/// optimised builds). It did so for 23 of 1,560 random asynchronous functions. An optional is stored as integers.
struct IntegerStored<Value: Sendable>: Sendable {
  private let optional: Value?

  init(_ value: Value) { optional = value }

  var value: Value {
    guard let optional else { preconditionFailure("set by the initialiser") }
    return optional
  }
}
