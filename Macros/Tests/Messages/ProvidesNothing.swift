// expected: error: provider 'log' returns nothing: return the service that it provides
import ActorDIMacros

@Graph struct AppGraph {
  @Provides func log() {}
}
