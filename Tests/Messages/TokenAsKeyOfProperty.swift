// A token stands where a key does.
// expected: error: 'init\(key:from:fileID:line:\)' is unavailable: a token has no label: @Injected\(.token\)
// unexpected: type 'Hashable' has no member
import ActorDI

extension ServiceKey where Service == String { static var title: Self { Self("title") } }
final class Page {
  @Injected(key: .title) var title: String
}
