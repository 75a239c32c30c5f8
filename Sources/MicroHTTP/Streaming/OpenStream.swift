import CMicroHTTPD
import HTTPTypes

/// A streaming reply on its way: the thin shell around a ``StreamState``.
///
/// `@unchecked Sendable`: the variables are touched by the connection's serving thread only;
/// everything else is constant or behind the signal's lock.
final class OpenStream: @unchecked Sendable {
  /// The size of the buffer that libmicrohttpd keeps for a reply that is not chunked, in bytes; chunks
  /// are written to the connection's memory.
  private static let blockSize = 16 * 1024

  private let engine: Engine
  private let connection: OpaquePointer
  private let record: ConnectionRecord
  private let signal: StreamSignal
  /// nil when the stream is over.
  private var source: (any StreamSource)?
  /// The piece that is being sent, and how much of it libmicrohttpd has.
  private var piece: Response?
  private var offset = 0
  /// Whether this stream is counted among the suspended connections.
  private var isSuspended = false

  init(_ exchange: Exchange, _ engine: Engine, _ open: (StreamSignal) -> any StreamSource) {
    self.engine = engine
    connection = exchange.connection
    record = exchange.record
    signal = StreamSignal(connection: exchange.connection, resumes: engine.resumes)
    source = open(signal)
  }

  /// Queues the reply. libmicrohttpd takes a reference to this stream, and gives it back when it has
  /// no use for the reply any longer.
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

  /// The stream is to end after the piece that is being sent; called on any thread.
  func finish() { _ = signal.perform(.finish) }

  /// The client was seen to be gone; called on any thread.
  func clientLeft() { _ = signal.perform(.clientLeft) }

  /// The request is over, whatever became of it. Called once.
  func completed() {
    resumed()
    _ = signal.perform(.over)
    let source = self.source
    self.source = nil
    piece = nil
    source?.ended()
  }

  /// `MHD_ContentReaderCallback`. The reply holds the reference that `queue` put there.
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

  /// Fills the buffer; there is room for it because the client took what came before.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    engine.wasCalled = true
    resumed()
    if let piece { return part(of: piece, into: buffer) }
    switch (signal.perform(.ready), source) {
    case (.ask, let source?): return take(source.next(), into: buffer)
    case (.end, _): return end()
    default: return viewdelta_end_with_error()
    }
  }

  private func take(_ step: StreamStep, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch step {
    case .send(let piece) where piece.bodySize == 0:
      // It is asked again, after everybody else had a turn.
      signal.raise()
      return suspend()
    case .send(let piece):
      engine.watch(record, .replying(bytes: piece.bodySize))
      offset = 0
      return part(of: piece, into: buffer)
    case .wait: return suspend()
    case .end: return end()
    }
  }

  /// Copies as much of a piece as there is room for.
  private func part(of piece: Response, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let bytes = UnsafeRawBufferPointer(piece.storage.bytes)
    let count = min(bytes.count - offset, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
    offset += count
    self.piece = offset < bytes.count ? piece : nil
    return count
  }

  /// The proper end, which the client may take as long for as for a small reply.
  private func end() -> Int {
    engine.watch(record, .replying(bytes: 0))
    return viewdelta_end_of_stream()
  }

  /// Suspends the connection until the signal is raised. Waiting has no deadline.
  private func suspend() -> Int {
    engine.watch(record, .parked)
    isSuspended = true
    engine.suspended.change(by: 1)
    MHD_suspend_connection(connection)
    // Only now may anybody resume it: a resume before the suspend would be lost.
    _ = signal.perform(.suspended)
    return 0
  }

  /// The connection has its turn again.
  private func resumed() {
    guard isSuspended else { return }
    isSuspended = false
    engine.suspended.change(by: -1)
  }
}
