/// Requests and replies on a raw connection.
extension SocketClient {
  /// Sends a request, with a Host field unless one is given, and reads the reply.
  ///
  /// - Parameters:
  ///   - method: The method, which may be an invalid one.
  ///   - target: The target, sent unchanged.
  ///   - fields: Lines of the head, for example `Accept: */*`.
  ///   - body: The content; Content-Length is added unless it is nil.
  public func request(
    _ method: String, _ target: String, fields: [String] = [], body: String? = nil
  ) throws(SocketFailure) -> HTTPReply {
    var lines = ["\(method) \(target) HTTP/1.1"]
    if !fields.contains(where: { $0.lowercased().hasPrefix("host:") }) {
      lines.append("Host: localhost")
    }
    lines += fields
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    return try readReply(hasBody: method != "HEAD")
  }

  /// Sends JSON and reads the reply.
  public func request(
    _ method: String, _ target: String, fields: [String] = [], json body: String
  ) throws(SocketFailure) -> HTTPReply {
    try request(
      method, target, fields: ["Content-Type: application/json"] + fields, body: body)
  }

  /// Sends a GET and reads the reply.
  public func get(_ target: String, fields: [String] = []) throws(SocketFailure) -> HTTPReply {
    try request("GET", target, fields: fields)
  }

  /// Reads one reply and leaves the bytes behind it for the next one. Interim replies (1xx) are
  /// skipped.
  ///
  /// - Parameter hasBody: Whether a body follows a head that announces one; `false` after HEAD.
  public func readReply(hasBody: Bool = true) throws(SocketFailure) -> HTTPReply {
    var reply = try readHead()
    while reply.status < 200 { reply = try readHead() }
    if !hasBody || reply.status == 204 || reply.status == 304 { return reply }
    if reply["transfer-encoding"] == "chunked" {
      reply.body = try readChunks()
    } else if let text = reply["content-length"] {
      guard let length = Int(text) else { throw .malformed("Content-Length: \(text)") }
      reply.body = try read(length)
    } else {
      reply.body = try readToEnd()
    }
    return reply
  }

  /// Reads one head, which may be that of an interim reply.
  public func readHead() throws(SocketFailure) -> HTTPReply {
    let line = try readLine()
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
      throw .malformed(line)
    }
    var fields: [(name: String, value: String)] = []
    while true {
      let line = try readLine()
      if line.isEmpty { return HTTPReply(status: status, fields: fields, body: []) }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw .malformed(line) }
      fields.append((parts[0].lowercased(), String(parts[1].drop { $0 == " " })))
    }
  }

  /// Reads one chunk of a chunked reply; the last one is empty.
  public func readChunk() throws(SocketFailure) -> [UInt8] {
    let line = try readLine()
    guard let size = Int(line, radix: 16) else { throw .malformed(line) }
    let chunk = size > 0 ? try read(size) : []
    let end = try readLine()
    guard end.isEmpty else { throw .malformed(end) }
    return chunk
  }

  private func readChunks() throws(SocketFailure) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let chunk = try readChunk()
      if chunk.isEmpty { return body }
      body += chunk
    }
  }
}

/// A reply that was read from a socket.
public struct HTTPReply: Sendable, Equatable {
  /// The status code.
  public var status: Int
  /// The fields in the order of arrival, with names in lower case.
  public var fields: [(name: String, value: String)]
  /// The content.
  public var body: [UInt8]

  /// The content as text, with U+FFFD for invalid UTF-8.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The value of a field with a name in lower case; several values are joined by `, `.
  public subscript(_ name: String) -> String? {
    let values = fields.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  public static func == (left: HTTPReply, right: HTTPReply) -> Bool {
    left.status == right.status && left.body == right.body
      && left.fields.map(\.name) == right.fields.map(\.name)
      && left.fields.map(\.value) == right.fields.map(\.value)
  }
}
