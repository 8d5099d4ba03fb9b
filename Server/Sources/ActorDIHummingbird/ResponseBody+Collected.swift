import HTTPTypes
import Hummingbird
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
