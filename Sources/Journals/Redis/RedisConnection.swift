#if Redis
  import CHiredis
  import Foundation
  import ViewState

  /// A connection to Redis, for one thread at a time. An error of the connection or a reply that does not come in
  /// time ends its use; the caller then makes another one.
  final class RedisConnection {
    private let context: UnsafeMutablePointer<redisContext>
    private let address: RedisAddress
    /// The process of Redis that it leads to: behind a proxy, two connections may lead to different ones.
    private(set) var process = ""

    /// The time in which a connection is made, and in which something of a reply comes.
    private static let patience = timeval(tv_sec: 2, tv_usec: 0)
    /// The time in which a command is sent and its whole reply comes.
    private let limit: Duration

    /// Connects, and names the connection.
    ///
    /// - Parameter limit: The time in which a command is sent and its whole reply comes, however steadily it comes.
    /// - Throws: `JournalError` if that fails.
    init(
      _ address: RedisAddress, name: String, within limit: Duration = .seconds(60)
    ) throws(JournalError) {
      guard let context = redisConnectWithTimeout(address.host, Int32(address.port), Self.patience)
      else { throw .unavailable("\(address): there is no memory for a connection") }
      self.context = context
      self.address = address
      self.limit = limit
      if context.pointee.err != 0 { throw failure }
      redisSetTimeout(context, Self.patience)
      redisEnableKeepAlive(context)
      // A program that starts anew in its process has no old connections.
      _ = fcntl(context.pointee.fd, F_SETFD, FD_CLOEXEC)
      if let password = address.password {
        try call(["AUTH"] + (address.user.map { [$0] } ?? []) + [password])
      }
      try call(["CLIENT", "SETNAME", name])
      process = try info("server", "run_id")
    }

    deinit { redisFree(context) }

    /// Whether Redis has closed the connection, as it does after a while without a command if it has a `timeout`. Asked
    /// before anything is sent, so that it is known that no command was.
    var isClosed: Bool {
      var byte: UInt8 = 0
      let count = recv(context.pointee.fd, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }

    private var failure: JournalError {
      let text = withUnsafeBytes(of: &context.pointee.errstr) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      // The text of a time-out is that of EAGAIN.
      let isLate = context.pointee.err == REDIS_ERR_IO && errno == EAGAIN
      return isLate ? late : .unavailable("\(address): \(text)")
    }

    private var late: JournalError { .unavailable("\(address): no reply in time") }

    /// Adds a command to those that are sent together before the next reply is read.
    ///
    /// - Parameters:
    ///   - words: The command and its arguments.
    ///   - body: A further argument.
    func add(_ words: [String], _ body: [UInt8]? = nil) {
      var bytes: [UInt8] = []
      var counts: [Int] = []
      for word in words {
        bytes += word.utf8
        counts.append(word.utf8.count)
      }
      if let body {
        bytes += body
        counts.append(body.count)
      }
      bytes.withUnsafeBytes { all in
        var start = 0
        // An empty command has no address of its own.
        let base = all.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) }
        var arguments = counts.map { count -> UnsafePointer<CChar>? in
          defer { start += count }
          return base.map { $0 + start }
        }
        _ = redisAppendCommandArgv(context, Int32(counts.count), &arguments, counts)
      }
    }

    /// Sends the added commands, and reads the next reply.
    ///
    /// - Throws: `JournalError` if none comes.
    func reply() throws(JournalError) -> RedisReply {
      let end = ContinuousClock.now + limit
      var (isSent, reply): (Int32, UnsafeMutableRawPointer?) = (0, nil)
      // As `redisGetReply` does, which goes on for as long as something comes.
      while redisGetReplyFromReader(context, &reply) == REDIS_OK {
        if let reply {
          defer { freeReplyObject(reply) }
          return Self.value(reply.assumingMemoryBound(to: redisReply.self).pointee)
        }
        guard .now < end else { throw late }
        let step =
          isSent == 0 ? redisBufferWrite(context, &isSent) : redisBufferRead(context)
        if step != REDIS_OK { break }
      }
      throw failure
    }

    /// Runs a command.
    ///
    /// - Throws: `JournalError` if there is no reply, or if it is an error.
    @discardableResult
    func call(_ words: [String], _ body: [UInt8]? = nil) throws(JournalError) -> RedisReply {
      add(words, body)
      return try success(reply())
    }

    /// Returns what Redis says about itself; an empty text if it does not.
    func info(_ section: String, _ name: String) throws(JournalError) -> String {
      let lines = (try call(["INFO", section]).text ?? "").split(whereSeparator: \.isNewline)
      let line = lines.first { $0.hasPrefix("\(name):") }
      return line.map { String($0.dropFirst(name.count + 1)) } ?? ""
    }

    /// Returns a reply that is no error.
    ///
    /// - Throws: `JournalError` if it is one.
    func success(_ reply: RedisReply) throws(JournalError) -> RedisReply {
      guard case .error(let text) = reply else { return reply }
      throw .unavailable("\(address): \(text)")
    }

    /// Reads the replies to the commands of a transaction, and to its end, and returns the last one.
    ///
    /// - Parameter count: The number of commands.
    /// - Throws: `JournalError.refused` if Redis refuses a command, and so the transaction.
    func transaction(of count: Int) throws(JournalError) -> RedisReply {
      _ = try success(reply())
      // The first refusal has the reason; the others follow from it.
      var replies: [RedisReply] = []
      for _ in 0...count { replies.append(try reply()) }
      for case .error(let text) in replies { throw .refused("\(address): \(text)") }
      return replies[count]
    }

    private static func value(_ reply: redisReply) -> RedisReply {
      switch reply.type {
      case REDIS_REPLY_INTEGER: .integer(Int(reply.integer))
      case REDIS_REPLY_ARRAY:
        .array((0..<reply.elements).compactMap { reply.element[$0] }.map { value($0.pointee) })
      case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: .bytes(bytes(reply))
      case REDIS_REPLY_ERROR: .error(String(decoding: bytes(reply), as: UTF8.self))
      default: .null
      }
    }

    private static func bytes(_ reply: redisReply) -> [UInt8] {
      Array(UnsafeRawBufferPointer(start: reply.str, count: reply.len))
    }
  }

  /// A reply of Redis.
  enum RedisReply: Sendable {
    case bytes([UInt8])
    case integer(Int)
    case array([RedisReply])
    case error(String)
    case null

    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    var integer: Int? { if case .integer(let number) = self { number } else { nil } }
    var elements: [RedisReply] { if case .array(let elements) = self { elements } else { [] } }
  }

  /// The address of a journal in Redis, such as `redis://127.0.0.1:6379/notes`.
  struct RedisAddress: Sendable, CustomStringConvertible {
    let host: String
    let port: Int
    let user: String?
    let password: String?
    /// The key of the journal, and the beginning of its other keys.
    let name: String

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - password: The password if the address has none.
    /// - Throws: `JournalError` if the text is no address.
    init(_ text: String, password: String? = nil) throws(JournalError) {
      // No message has the text: what is wrong may be in the password, such as a character that needs a percent sign.
      guard let url = URLComponents(string: text), url.scheme == "redis", let host = url.host,
        !host.isEmpty, url.query == nil, url.fragment == nil
      else {
        throw .unavailable(
          "the address is not redis://HOST:PORT/NAME, or special characters of its password are "
            + "not percent-encoded")
      }
      // A number that no Int has is no port, and looks like none.
      guard let port = url.rangeOfPort == nil ? 6379 : url.port, (1...65535).contains(port) else {
        throw .unavailable("the address has no port of 1 to 65535")
      }
      let name = url.path.drop { $0 == "/" }
      // With an @ it is the rest of a password, and the host is its beginning.
      let isName = name.utf8.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "@") }
      guard !name.isEmpty, isName else {
        throw .unavailable(
          "the address has no NAME of ASCII characters without spaces and @, such as "
            + "redis://HOST/notes, or special characters of its password are not percent-encoded")
      }
      self.host = host.trimmingCharacters(in: ["[", "]"])
      self.name = String(name)
      self.port = port
      user = url.user.flatMap { $0.isEmpty ? nil : $0 }
      // An environment variable may be set and empty. A user of Redis may need no password.
      let secret = url.password ?? password ?? ""
      self.password = secret.isEmpty && user == nil ? nil : secret
    }

    var description: String { "redis://\(host):\(port)/\(name)" }
  }
#endif
