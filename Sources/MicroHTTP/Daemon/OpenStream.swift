import CMicroHTTPD
import HTTPTypes

/// A streaming reply that is being sent: a thin shell around a ``StreamState``.
///
/// `@unchecked Sendable`: only the connection's serving thread touches the variables; everything
/// else is constant or behind the signal's lock.
final class OpenStream: @unchecked Sendable {
  /// The size of libmicrohttpd's buffer for a reply that is not chunked, in bytes. Chunks are
  /// written to the connection's memory instead.
  private static let blockSize = 16 * 1024

  private let engine: DaemonEngine
  private let connection: OpaquePointer
  private let record: ConnectionRecord
  private let signal: StreamSignal
  /// The source; nil after the end of the stream.
  private var source: (any StreamSource)?
  /// The piece that is being sent, of which libmicrohttpd has the first `offset` bytes.
  private var piece: Response?
  private var offset = 0
  /// Whether libmicrohttpd has asked for content, which it does after the head of the reply.
  private(set) var hasBegun = false
  /// Whether this stream is counted as a suspended connection.
  private var isSuspended = false

  init(_ exchange: Exchange, _ engine: DaemonEngine, _ open: (StreamSignal) -> any StreamSource) {
    self.engine = engine
    connection = exchange.connection
    record = exchange.record
    signal = StreamSignal(connection: exchange.connection, resumes: engine.resumes)
    source = open(signal)
  }

  /// Queues the reply. libmicrohttpd retains this stream until it no longer needs the reply.
  func queue(fields: HTTPFields, isChunked: Bool) -> MHD_Result {
    let reference = Unmanaged.passRetained(self)
    let native = viewdelta_create_stream(
      isChunked ? 1 : Self.blockSize, Self.read, reference.toOpaque(), Self.release)
    guard let native else {
      reference.release()
      return .NO
    }
    ResponseStorage.add(fields, to: native)
    let result = MHD_queue_response(connection, UInt32(HTTPResponse.Status.ok.code), native)
    // The connection holds its own reference.
    MHD_destroy_response(native)
    return result
  }

  /// Ends the stream after the piece that is being sent. Any thread can call it.
  func finish() { _ = signal.perform(.finish) }

  /// Ends the stream because its client has disconnected. Any thread can call it.
  func clientLeft() { _ = signal.perform(.clientLeft) }

  /// Ends the source after the request is over. Called once.
  func completed() {
    resumed()
    _ = signal.perform(.over)
    let source = self.source
    self.source = nil
    dropPiece()
    source?.ended()
  }

  /// `MHD_ContentReaderCallback`. The reply owns the reference that `queue` passed to it.
  private static let read: MHD_ContentReaderCallback = { context, _, buffer, capacity in
    guard let context, let buffer else { return viewdelta_end_with_error() }
    return Unmanaged<OpenStream>.fromOpaque(context).takeUnretainedValue().read(
      into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
  }

  /// `MHD_ContentReaderFreeCallback`: called once for each reply.
  private static let release: MHD_ContentReaderFreeCallback = { context in
    guard let context else { return }
    Unmanaged<OpenStream>.fromOpaque(context).release()
  }

  /// Fills the buffer. libmicrohttpd calls it after the client has taken the previous content.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    engine.idleRuns = 0
    hasBegun = true
    resumed()
    if let piece { return part(of: piece, into: buffer) }
    switch (signal.perform(.ready), source) {
    case (.ask, let source?): return take(source.next(), into: buffer)
    case (.end, _): return end()
    default: return cut(buffer)
    }
  }

  /// Closes the connection in the middle of the content.
  ///
  /// If its reader reports an error, libmicrohttpd marks the connection as closed, but releases it only after an event
  /// on its socket, or if it is the oldest one. A write that fails makes it release the connection at once.
  private func cut(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    record.shutDown()
    buffer.copyBytes(from: CollectionOfOne(UInt8(ascii: "\n")))
    return 1
  }

  private func take(_ step: StreamStep, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch step {
    case .send(let piece) where piece.bodySize == 0:
      // The source is asked again after all other connections had their turn.
      signal.raise()
      return suspend()
    case .send(let piece):
      // The client asks for it again with the id of its last event.
      guard engine.replies.begin(piece, isDue: false) else { return end() }
      engine.updateDeadline(record, .replying(bytes: piece.bodySize))
      offset = 0
      return part(of: piece, into: buffer)
    case .wait: return suspend()
    case .end: return end()
    }
  }

  /// Copies as much of a piece as fits into the buffer.
  private func part(of piece: Response, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let bytes = UnsafeRawBufferPointer(piece.storage.bytes)
    let count = min(bytes.count - offset, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
    offset += count
    self.piece = piece
    if offset == bytes.count { dropPiece() }
    return count
  }

  private func dropPiece() {
    if let piece = piece.take() { engine.replies.end(piece) }
  }

  /// Ends the content properly. The client has as much time to read the end as for a small reply.
  private func end() -> Int {
    engine.updateDeadline(record, .replying(bytes: 0))
    return viewdelta_end_of_stream()
  }

  /// Suspends the connection until the signal is raised. Waiting has no deadline.
  private func suspend() -> Int {
    engine.updateDeadline(record, .parked)
    isSuspended = true
    engine.suspended.change(by: 1)
    MHD_suspend_connection(connection)
    // The state must learn of the suspension afterwards: a resume before it would be lost.
    _ = signal.perform(.suspended)
    return 0
  }

  /// Notes that the connection is no longer suspended.
  private func resumed() {
    guard isSuspended else { return }
    isSuspended = false
    engine.suspended.change(by: -1)
  }
}
