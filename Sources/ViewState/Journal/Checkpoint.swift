public import CanonicalJSON

/// The states of an engine after an input, with which another engine can go on.
public struct Checkpoint: Hashable, Sendable {
  /// The position of the last input that was applied to the states; 0 if there was none.
  public let position: Int
  /// The states by their names.
  public let parts: [Text: JSONValue]

  /// Creates a checkpoint that was read from a journal.
  public init(position: Int, parts: [Text: JSONValue]) {
    self.position = position
    self.parts = parts
  }

  /// The place of a checkpoint in a journal.
  public struct Mark: Hashable, Sendable {
    /// The position of the checkpoint.
    public let position: Int
    /// The time of the last input that was applied to its states.
    public let time: Timestamp
    /// How much the inputs up to the checkpoint weigh: each counts 1, and 1 more for each 32 KiB of its JSON. So a
    /// few large inputs make a checkpoint due, and let older ones go, as many small ones do.
    let weight: Int

    /// Creates a mark that was read from a journal.
    ///
    /// - Parameters:
    ///   - position: The position of the checkpoint.
    ///   - time: The time of the last input that was applied to its states.
    ///   - weight: The part ``Checkpoint/weight`` of the checkpoint. Unless given, and if a journal of an earlier build
    ///     does not have it, each input counts 1.
    public init(position: Int, time: Timestamp, weight: JSONValue? = nil) {
      self.position = position
      self.time = time
      // Far from 2^53, so that the weights after it can be written.
      guard case .integer(let known)? = weight, known >= position, known <= 1 << 52 else {
        self.weight = position
        return
      }
      self.weight = known
    }
  }

  /// The place of the checkpoint.
  public var mark: Mark {
    let time = try? parts[EngineRecord.part].map { try JSONReader($0).member("time") }
    let known = try? time?.decode(Timestamp.self)
    return Mark(
      position: position, time: known ?? Timestamp(secondsSince1970: 0), weight: parts[Self.weight])
  }
}

extension Checkpoint {
  /// The name of the part with the place of a checkpoint in a ``SharedJournal``.
  public static let bookmark: Text = "journal"

  /// The name of the part for ``Mark/init(position:time:weight:)``. Its value is a number, so it takes one piece.
  public static let weight: Text = "weight"

  /// Returns the weight of an input.
  static func weight(of input: some Input) -> Int {
    // Not of its memory: a control character takes one byte there, and six in a journal.
    weight(ofInput: (try? input.json())?.canonicalByteCount ?? 0)
  }

  /// Returns the weight of an input.
  ///
  /// - Parameter byteCount: The size of its JSON in bytes.
  static func weight(ofInput byteCount: Int) -> Int { 1 + byteCount / (32 << 10) }
}

/// The parts.
extension Checkpoint {
  private static let (storePrefix, screenPrefix): (Text, Text) = ("store/", "screen/")
  /// A screen may have any name, so no other part may begin with this prefix.
  private static let initialPrefix = "initial/"

  /// The name of the part with a store.
  static func storePart(_ name: Text) -> Text { "\(storePrefix)\(name)" }

  /// The name of the part with the states of a screen.
  static func screenPart(_ name: Text) -> Text { "\(screenPrefix)\(name)" }

  /// The name of the part with the states before any input from which the states of a screen differ, if there are some.
  static func initialPart(_ name: Text) -> Text { "\(initialPrefix)\(name)" }

  /// The stores that have parts, sorted.
  var stores: [Text] { names(after: Self.storePrefix) }

  /// The screens whose states have parts, sorted.
  var screens: [Text] { names(after: Self.screenPrefix) }

  private func names(after prefix: Text) -> [Text] {
    // By bytes, because Swift takes a slash and a combining accent after it for one character.
    parts.keys.sorted().filter { $0.hasPrefix(prefix) }
      .map { Text(Substring($0.utf8.dropFirst(prefix.byteCount))) }
  }

  /// The estimated memory of the parts, in bytes.
  var byteCount: Int { parts.values.reduce(0) { $0 + $1.memoryByteCount } }

  /// Reads a part.
  func decode<Part: Decodable>(_ name: Text) throws(JournalError) -> Part {
    guard let part = parts[name] else { throw .damaged("the checkpoint has no part \(name)") }
    do {
      return try part.decodeRecord(Part.self)
    } catch {
      throw .damaged("the part \(name) of the checkpoint cannot be read: \(error)")
    }
  }
}

/// What a checkpoint has beside stores and view models.
struct EngineRecord: Codable, Sendable {
  /// The part of a checkpoint with this value.
  static let part: Text = "engine"
  static let noSeed: [UInt8] = []

  /// The secret bytes that tokens are made with; ``noSeed`` if the next engine has to make others.
  let seed: [UInt8]
  /// Identifies the program that gave the tokens.
  let program: Text
  let time: Timestamp
  /// The time before the first input.
  let begun: Timestamp
  let settings: Settings
  let outcomes: Outcomes
}
