// expected: error: property 'limit' states no type: write the type of the service that it provides
import ActorDIMacros

@Graph struct AppGraph {
  let limit = 3
}
