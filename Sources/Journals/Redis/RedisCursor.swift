#if Redis
  import CanonicalJSON
  import ViewState

  /// The place of a server in the stream of a journal.
  ///
  /// An entry of the stream counts if its session has joined in the stream and was not replaced. So servers that read
  /// the same stream count the same entries, whatever they know of each other: a server that does not know whether
  /// an entry was added joins again, which ends its former session, and reads up to there.
  struct RedisCursor: Sendable {
    /// The id of the last entry that was read.
    private(set) var id = RedisID.first
    /// The number of entries that count, with those before the checkpoint.
    private(set) var position: Int
    /// The sessions whose entries count, oldest first. Each has the id of the entry with which it has joined.
    private var sessions: [String] = []

    /// The largest number of sessions. Beyond it the oldest is forgotten, and its server has to join again.
    private static let sessionLimit = 1_024

    /// The names of the fields of entries.
    enum Field {
      static let join = "join"
      static let session = "session"
      static let input = "input"
      static let digest = "digest"
      static let position = "position"
    }

    /// The place after the first entry of a stream.
    init(position: Int) { self.position = position }

    /// Reads a bookmark.
    init(_ bookmark: JSONReader, position: Int) throws(JSONShapeError) {
      self.position = position
      let text = try bookmark.member("id")
      guard let id = RedisID(try text.string().string) else { throw text.error("expected an id") }
      self.id = id
      for session in try bookmark.member("sessions").elements() {
        sessions.append(try session.string().string)
      }
    }

    var bookmark: JSONValue {
      [
        "id": .string(Text(id.description)), "sessions": .array(sessions.map { .string(Text($0)) }),
      ]
    }

    /// Returns whether the entries of a session count no more, although it has joined in what was read.
    func hasEnded(_ session: String) -> Bool {
      guard let joined = RedisID(session) else { return true }
      return joined <= id && !sessions.contains(session)
    }

    /// What an entry of the stream is.
    enum Reading {
      case input(RecordedInput)
      case join(session: String)
      case digest(Text, position: Int, session: String)
      /// It does not count.
      case nothing
    }

    /// Reads the next entry of the stream.
    ///
    /// - Throws: `JournalError` if it is none of a journal.
    mutating func read(_ reply: RedisReply) throws(JournalError) -> Reading {
      let parts = reply.elements
      guard parts.count == 2, let name = parts[0].text, let id = RedisID(name) else {
        throw .damaged("the stream has an entry without an id")
      }
      guard id > self.id else { throw .damaged("the entry \(id) comes after \(self.id)") }
      self.id = id
      var fields: [String: [UInt8]] = [:]
      let list = parts[1].elements
      for index in stride(from: 0, to: list.count - 1, by: 2) {
        if let name = list[index].text { fields[name] = list[index + 1].bytes }
      }
      func text(_ field: String) -> String? {
        fields[field].map { String(decoding: $0, as: UTF8.self) }
      }
      if let former = text(Field.join) {
        sessions.removeAll { $0 == former }
        sessions.append(name)
        if sessions.count > Self.sessionLimit { sessions.removeFirst() }
        return .join(session: name)
      }
      guard let session = text(Field.session), sessions.contains(session) else { return .nothing }
      if let digest = text(Field.digest), let end = text(Field.position).flatMap({ Int($0) }) {
        return .digest(Text(digest), position: end, session: session)
      }
      position += 1
      return .input(
        RecordedInput(
          position: position, id: id, session: session, bytes: fields[Field.input] ?? []))
    }
  }

  /// An input in the stream, whose JSON was not read yet: a server has its own.
  struct RecordedInput: Sendable {
    let position: Int
    let id: RedisID
    let session: String
    fileprivate let bytes: [UInt8]

    /// The input with its place.
    ///
    /// - Throws: `JournalError` if it is not JSON.
    var entry: Entry {
      get throws(JournalError) {
        do {
          return Entry(
            position: position, time: id.time,
            input: try JSONValue(parsing: bytes, limits: .greatest))
        } catch {
          throw .damaged("the entry \(id) of the stream is not JSON: \(error.message)")
        }
      }
    }
  }

  /// The id of an entry of a stream: the time of Redis in milliseconds, and a number.
  struct RedisID: Comparable, Sendable, CustomStringConvertible {
    let milliseconds: Int
    let number: Int

    /// The id of the first entry of each stream.
    static let first = RedisID(milliseconds: 0, number: 1)

    private init(milliseconds: Int, number: Int) {
      (self.milliseconds, self.number) = (milliseconds, number)
    }

    init?(_ text: String) {
      let parts = text.split(separator: "-").map { Int($0) }
      guard parts.count == 2, let milliseconds = parts[0], let number = parts[1] else { return nil }
      self.init(milliseconds: milliseconds, number: number)
    }

    var time: Timestamp { Timestamp(secondsSince1970: milliseconds / 1_000) }

    var description: String { "\(milliseconds)-\(number)" }

    static func < (left: RedisID, right: RedisID) -> Bool {
      (left.milliseconds, left.number) < (right.milliseconds, right.number)
    }
  }
#endif
