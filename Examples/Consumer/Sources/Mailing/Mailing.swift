public import ActorDI

/// A package whose token brings along a service of an internal type.
public protocol Mailer: AnyObject, Sendable { var host: String { get } }

final class SMTPMailer: Mailer {
  let host: String
  init(host: String) { self.host = host }
}

extension ServiceKey where Service == any Mailer {
  public static var mailer: Self {
    Self("mailer") { Registration(scope: .singleton) { r in SMTPMailer(host: try r.resolve(.mailHost)) } }
  }
}

extension ServiceKey where Service == String {
  public static var mailHost: Self { Self("mail host") { Registration(instance: "localhost") } }
}
