/// What ``PostInitialization``, ``ResolutionAware`` and ``Disposable`` have in common: their instances have a part of their own in what a
/// container does with them.
///
/// There is nothing to implement, nor a reason to conform to it alone. To find out that a type conforms to a protocol takes the runtime tens
/// of microseconds when it has not been asked before, and most types conform to none of the three: a container asks for this one first.
public protocol LifecycleParticipant: SendableMetatype {}
