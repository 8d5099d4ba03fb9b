// expected: error: 'File' is noncopyable, but a container shares its instances: make it a class
import ActorDIMacros

@Injectable struct File: ~Copyable {
  let size: Int
}
