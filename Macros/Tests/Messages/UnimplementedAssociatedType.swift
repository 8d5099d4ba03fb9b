// expected: error: 'Store' has the associated type 'Item', which the macro cannot choose: write the double by hand
import ActorDIMacros

@Unimplemented protocol Store { associatedtype Item }
