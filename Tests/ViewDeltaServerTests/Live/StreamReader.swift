import HTTPTypes
import TestSupport

@testable import MicroHTTP

/// The client of an event stream without a connection, which reads when the test says so.
final class StreamReader {
  private let source: any StreamSource
  private let signal = StreamSignal(connection: nil, resumes: nil)
  private var events = ServerSentEvents()
  let fields: HTTPFields
  /// Whether the stream has come to its end.
  private(set) var isOver = false

  /// Opens the stream that a request gets; `nil` where it gets none.
  init?(_ router: Router, _ request: Request) {
    guard case .stream(let fields, let open) = router.reply(to: request) else { return nil }
    self.fields = fields
    source = open(signal)
  }

  /// Takes one piece; `nil` where there is none now.
  func readPiece() -> Response? {
    if isOver { return nil }
    precondition(signal.perform(.ready) == .ask, "the stream cannot be asked")
    switch source.next() {
    case .send(let piece): return piece
    case .wait: return nil
    case .end:
      leave()
      return nil
    }
  }

  /// Takes all that there is now.
  func read() throws -> [ServerSentEvent] {
    while let piece = readPiece() { events.append(piece.body) }
    var read: [ServerSentEvent] = []
    while let event = try events.next() { read.append(event) }
    return read
  }

  /// The client is gone, or has everything.
  func leave() {
    if isOver { return }
    isOver = true
    _ = signal.perform(.over)
    source.ended()
  }
}
