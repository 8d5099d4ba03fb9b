// expected: error: 'height' and 'width' both provide 'Int': remove one, or give it a key
import ActorDIMacros

@Graph struct AppGraph {
  let width, height: Int
}
