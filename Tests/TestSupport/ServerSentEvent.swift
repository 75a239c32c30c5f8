/// A block of a stream of Server-Sent Events, parsed as strictly as this server writes it: the
/// lines end in LF, and no field occurs twice.
public struct ServerSentEvent: Sendable, Hashable {
  public var id: String?
  public var data: [UInt8]?
  public var retry: Int?
  /// Whether the block is only a comment.
  public var isComment = false

  /// Parses a block without the empty line that ends it.
  ///
  /// - Throws: `LawViolation` if a line is not one of these fields.
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

/// A parser that splits the content of a stream into events, however the network split it.
public struct ServerSentEvents: Sendable {
  private var rest: [UInt8] = []
  /// The number of bytes of the rest that are already searched.
  private var searched = 0

  public init() {}

  /// Appends received bytes.
  public mutating func append(_ bytes: [UInt8]) { rest += bytes }

  /// Returns the next event, or `nil` if it has not arrived completely.
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

/// A connection that receives a stream of Server-Sent Events.
public final class EventConnection {
  public let client: SocketClient
  /// The head of the reply.
  public let head: HTTPReply
  private var events = ServerSentEvents()

  /// Requests the stream and reads its head.
  public init(_ client: SocketClient, _ target: String, fields: [String] = []) throws {
    self.client = client
    let lines = ["GET \(target) HTTP/1.1", "Host: localhost", "Accept: text/event-stream"] + fields
    try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    head = try client.readHead()
    try require(head.status == 200, "\(target) is \(head.status)")
  }

  /// Returns the next event, or `nil` after the proper end of the stream.
  public func next() throws -> ServerSentEvent? {
    while true {
      if let event = try events.next() { return event }
      let chunk = try client.readChunk()
      if chunk.isEmpty { return nil }
      events.append(chunk)
    }
  }

  /// Returns the next event that has a document.
  public func nextDocument() throws -> (id: String, data: [UInt8])? {
    while let event = try next() {
      if let id = event.id, let data = event.data { return (id, data) }
    }
    return nil
  }
}
