/// Adds an overload of a function or initialiser without the parameters that a container supplies.
///
/// ```swift
/// final class Uploads {
///   @InjectedParameters(ignoring: "file")
///   func upload(file: String, service: any UploadService) async { … }
/// }
///
/// try await uploads.upload(file: "avatar.png")
/// try await uploads.upload(file: "avatar.png", from: container)
/// ```
///
/// The overload resolves the other parameters by type, from `Container.current` unless `from:` passes a container. It throws what the
/// resolve throws, and is asynchronous if the function is. The markers `@Key(…)`, `@Argument` and `@UseDefault` on a parameter resolve
/// it by key, leave it to the caller, or leave it to its default value.
///
/// Where all supplied parameters have default values, a call without `from:` is one of the function itself.
///
/// - Parameter names: The names of the parameters that callers pass.
@attached(peer, names: overloaded)
public macro InjectedParameters(ignoring names: String...) =
  #externalMacro(module: "ActorDIMacrosPlugin", type: "InjectedParametersMacro")
