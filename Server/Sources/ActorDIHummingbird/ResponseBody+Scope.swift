import ActorDI
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

extension ResponseBody {
  /// A body of the same content, all of which has been made.
  func collected() async throws -> ResponseBody {
    let content = Content()
    try await write(CollectingWriter(content: content))
    let (buffers, trailers) = content.all
    if trailers == nil, buffers.count <= 1 {
      return buffers.first.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody()
    }
    return ResponseBody(contentLength: contentLength) { writer in
      try await writer.write(contentsOf: buffers)
      try await writer.finish(trailers)
    }
  }

  /// A body that keeps a scope open, and its parent if that is a scope, until it has been written or dropped.
  func extending(
    _ scope: Container, below parent: Container, _ logger: Logger
  ) throws(ResolutionError) -> ResponseBody {
    // They end in this order. If the body is dropped, so are they.
    let extensions = [try scope.extendScope(), try parent.extendScope()]
    return ResponseBody(contentLength: contentLength) { writer in
      // Only the body uses the writer, in one call. The compiler does not see that through the closure.
      nonisolated(unsafe) let writer = writer
      do {
        try await Container.withCurrent(scope) { try await unsafe write(writer) }
      } catch {
        let outcome: ScopeOutcome = error is CancellationError && Task.isCancelled ? .cancelled : .failed(error)
        for each in extensions { try? await each.end(after: outcome) }
        throw error
      }
      for each in extensions {
        do {
          try await each.end()
        } catch {
          // The response has been sent.
          logger.error("\(error)")
        }
      }
    }
  }
}

private struct CollectingWriter: ResponseBodyWriter {
  let content: Content

  mutating func write(_ buffer: ByteBuffer) async throws { content.add(buffer) }
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws { content.finish(trailingHeaders) }
}

/// What a body has written.
private final class Content: Sendable {
  private let written = Mutex<(buffers: [ByteBuffer], trailers: HTTPFields?)>(([], nil))

  var all: (buffers: [ByteBuffer], trailers: HTTPFields?) { written.withLock { $0 } }
  func add(_ buffer: ByteBuffer) { written.withLock { $0.buffers.append(buffer) } }
  func finish(_ trailers: HTTPFields?) { written.withLock { $0.trailers = trailers } }
}
