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

  /// A body that is written in a scope, and keeps its extension until it has been written or dropped.
  ///
  /// The extension of a dropped body ends in a task of its own, as cancelled.
  ///
  /// - Parameter extending: The extension; nil if the scope is closed.
  func extending(_ scope: Container, by extending: ScopeExtension?, _ logger: Logger) -> ResponseBody {
    ResponseBody(contentLength: contentLength) { writer in
      // Only the body uses the writer, in one call. The compiler does not see that through the closure.
      nonisolated(unsafe) let writer = writer
      do {
        try await Container.withCurrent(scope) { try await unsafe write(writer) }
      } catch {
        let isCancellation = error is CancellationError && Task.isCancelled
        await extending?.end(after: isCancellation ? .cancelled : .failed(error), logger)
        throw error
      }
      await extending?.end(after: .completed, logger)
    }
  }
}

extension ScopeExtension {
  /// Ends the extension of a response that has been sent, so that errors of disposers can only be logged.
  fileprivate func end(after outcome: ScopeOutcome, _ logger: Logger) async {
    do {
      try await end(after: outcome)
    } catch {
      logger.error("\(error)")
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
