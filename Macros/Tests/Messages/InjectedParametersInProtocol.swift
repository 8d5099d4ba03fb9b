// expected: error: 'upload' is a requirement of 'Uploads', whose members have no bodies: mark a member of an extension of the protocol that calls it
import ActorDIMacros

protocol Uploads {
  @InjectedParameters func upload(service: Int)
}
