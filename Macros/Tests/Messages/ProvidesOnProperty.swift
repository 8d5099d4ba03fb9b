// expected: error: a stored property provides its value without '@Provides': remove the marker, or write a method
import ActorDIMacros

@Graph struct AppGraph {
  @Provides let number: Int
}
