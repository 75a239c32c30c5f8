/// One block of a stream of Server-Sent Events, read as strictly as this server writes it: lines that
/// end in LF, one of each field.
public struct ServerSentEvent: Sendable, Hashable {
  public var id: String?
  public var data: [UInt8]?
  public var retry: Int?
  /// Whether it is a comment and nothing else.
  public var isComment = false

  /// Reads a block without the empty line that ends it.
  ///
  /// - Throws: `LawViolation` for a line that is none of those above.
  public init(block: some Collection<UInt8>) throws {
    for line in block.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let text = String(decoding: line, as: UTF8.self)
      if text == ":" {
        isComment = true
      } else if text.hasPrefix("id: "), id == nil {
        id = String(text.dropFirst(4))
      } else if text.hasPrefix("data: "), data == nil {
        data = Array(line.dropFirst(6))
      } else if text.hasPrefix("retry: "), let number = Int(text.dropFirst(7)) {
        retry = number
      } else {
        throw LawViolation("no line of an event stream: \(text)")
      }
    }
  }
}

/// Cuts the content of a stream into events, however it was cut on the way.
public struct ServerSentEvents: Sendable {
  private var rest: [UInt8] = []
  /// How much of the rest was looked through in vain.
  private var searched = 0

  public init() {}

  /// Takes what came.
  public mutating func append(_ bytes: [UInt8]) { rest += bytes }

  /// The next event; `nil` where it has not come as a whole.
  public mutating func next() throws -> ServerSentEvent? {
    let newline = UInt8(ascii: "\n")
    while let end = rest[searched...].firstIndex(of: newline) {
      searched = end
      guard end + 1 < rest.count else { return nil }
      searched += 1
      guard rest[searched] == newline else { continue }
      defer {
        rest.removeFirst(end + 2)
        searched = 0
      }
      return try ServerSentEvent(block: rest[..<end])
    }
    searched = rest.count
    return nil
  }
}

/// A connection on which a stream of Server-Sent Events comes.
public final class EventConnection {
  public let client: SocketClient
  /// The head of the reply.
  public let head: HTTPReply
  private var events = ServerSentEvents()

  /// Asks for the stream and reads its head.
  public init(_ client: SocketClient, _ target: String, fields: [String] = []) throws {
    self.client = client
    let lines = ["GET \(target) HTTP/1.1", "Host: localhost", "Accept: text/event-stream"] + fields
    try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    head = try client.readHead()
    try require(head.status == 200, "\(target) is \(head.status)")
  }

  /// The next event; `nil` after the proper end of the stream.
  public func next() throws -> ServerSentEvent? {
    while true {
      if let event = try events.next() { return event }
      let chunk = try client.readChunk()
      if chunk.isEmpty { return nil }
      events.append(chunk)
    }
  }

  /// The next event with a document.
  public func nextDocument() throws -> (id: String, data: [UInt8])? {
    while let event = try next() {
      if let id = event.id, let data = event.data { return (id, data) }
    }
    return nil
  }
}
