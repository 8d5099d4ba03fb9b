/// Thrown if a binding that another one needs, or an element of a collection, was removed after the search. The caller searches again.
struct BindingIsGone: Error {}
