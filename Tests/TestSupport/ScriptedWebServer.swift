import Dispatch
import Glibc
import Synchronization

/// A server on a free port of 127.0.0.1 that answers requests as a test says, also against the rules of HTTP.
public final class ScriptedWebServer: Sendable {
  public enum Answer: Sendable {
    /// Sends bytes, and closes the connection.
    case bytes([UInt8])
    /// Sends bytes, and nothing more until the client closes the connection.
    case stalling([UInt8])
    /// Sends bytes, then others again and again until the client closes the connection.
    case endless([UInt8], then: [UInt8])
  }

  private struct State: Sendable {
    var answers: [String: Answer] = [:]
    var requests: [String] = []
    var abandonedCount = 0
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  private let shared = Shared()
  private let listener: Int32
  public let port: UInt16

  /// Starts the server.
  public init() throws {
    let socket = try BoundSocket()
    let listener = socket.descriptor
    (self.listener, port) = (listener, socket.port)
    try require(listen(listener, 64) == 0, "no connections are taken")
    let queue = DispatchQueue(label: "scripted server", attributes: .concurrent)
    queue.async { [shared] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        queue.async { Self.serve(connection, shared) }
      }
      close(listener)
    }
  }

  // Ends the wait for a connection.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The address of a path.
  public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Sets the answer for a path, by default a 404.
  public func answer(_ path: String, _ answer: Answer) {
    shared.state.withLock { $0.answers[path] = answer }
  }

  /// Sets an answer that follows the rules.
  ///
  /// - Parameters:
  ///   - status: The status with its reason, such as `200 OK`.
  ///   - fields: Lines of the head.
  ///   - length: The value of Content-Length, if it is not the size of the body.
  public func answer(
    _ path: String, _ status: String = "200 OK", fields: [String] = [], length: Int? = nil,
    _ body: String = ""
  ) {
    answer(path, .bytes(Self.reply(status, fields: fields, length: length, body)))
  }

  /// Returns the bytes of an answer; without Content-Length if `length` is negative.
  public static func reply(
    _ status: String = "200 OK", fields: [String] = [], length: Int? = nil, _ body: String = ""
  ) -> [UInt8] {
    let length = length ?? body.utf8.count
    let head =
      ["HTTP/1.1 \(status)", "Connection: close"] + fields
      + (length < 0 ? [] : ["Content-Length: \(length)"])
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }

  /// The paths of all requests so far.
  public var requests: [String] { shared.state.withLock { $0.requests } }

  /// The number of connections that clients have closed before their answers ended.
  public var abandonedCount: Int { shared.state.withLock { $0.abandonedCount } }

  private static func serve(_ connection: Int32, _ shared: Shared) {
    defer { close(connection) }
    var head: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return }
      head += chunk[..<count]
    }
    let words = String(decoding: head, as: UTF8.self).split(separator: " ", maxSplits: 2)
    let path = words.count > 1 ? String(words[1]) : ""
    let answer = shared.state.withLock { state in
      state.requests.append(path)
      return state.answers[path]
    }
    switch answer ?? .bytes(reply("404 Not Found")) {
    case .bytes(let bytes): _ = sendAll(bytes, to: connection)
    case .stalling(let bytes):
      guard sendAll(bytes, to: connection) else { return }
      while recv(connection, &chunk, chunk.count, 0) > 0 {}
      shared.state.withLock { $0.abandonedCount += 1 }
    case .endless(let bytes, let more):
      guard sendAll(bytes, to: connection) else { return }
      while sendAll(more, to: connection) {}
      shared.state.withLock { $0.abandonedCount += 1 }
    }
  }

  private static func sendAll(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
