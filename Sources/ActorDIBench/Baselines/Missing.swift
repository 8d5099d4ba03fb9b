/// Ends the run: a baseline that does not find its own registration measures nothing.
@inline(never)
func missing<Service>(_ type: Service.Type) -> Never {
  fatalError("\(type) was not registered with the baseline")
}
