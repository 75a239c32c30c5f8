package import CanonicalJSON

/// Replaces what users have written in a journal, so that the journal can be given away.
///
/// Texts are replaced wherever they are: in fields, in states, in the bodies of refused commands, in members that no
/// field reads. What stays is what the program gives a meaning (``DeclaredNames``), numbers, dates, ids, and the fields
/// that are kept. The secrets of the server are replaced: the sessions in the keys of view models, and the seed of
/// tokens. So the tokens in the journal become those that the new seed gives.
package struct Redaction: Sendable {
  private let names: DeclaredNames
  private let texts = TextSubstitution()
  /// The texts of the fields that are kept.
  private var kept: Set<Text> = []
  private let epochs: EpochTable

  /// Creates a redaction.
  ///
  /// - Parameter names: What the program gives a meaning in the journal.
  package init(of journal: any Journal, names: DeclaredNames) throws(JournalError) {
    self.names = names
    guard let checkpoint = try journal.checkpoint() else { throw .damaged("it is empty") }
    let record: EngineRecord = try checkpoint.decode(EngineRecord.part)
    for store in checkpoint.stores { names.insert(store) }
    epochs = EpochTable(from: record.seed, to: Engine.randomSeed())
  }

  /// Keeps a text wherever it is.
  package mutating func keep(_ text: Text) { kept.insert(text) }

  // MARK: Texts

  /// Returns the text in place of another one.
  func redacted(_ text: Text) -> Text {
    if isKept(text) { return hasSession(text) && !kept.contains(text) ? key(text) : text }
    // By bytes, because Swift takes a slash and a combining accent after it for one character.
    let slash = UInt8(ascii: "/")
    guard text.utf8.contains(slash), !text.string.contains(where: \.isWhitespace) else {
      return texts.replacing(text)
    }
    // The id of a row or the name of a view model may be made of others, such as `taxNumber/company/1`, and an
    // address without its scheme is none.
    let parts = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
      .map { Text(Substring($0)) }
    return Text(parts.map { redacted($0).string }.joined(separator: "/"))
  }

  private static let schemes = ["http:", "https:"]

  private func isKept(_ text: Text) -> Bool {
    if names.contains(text) || kept.contains(text)
      || Self.schemes.contains(text.string.lowercased())
    {
      return true
    }
    let isDigit = text.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isDigit == true && Timestamp(text.string) != nil
  }

  /// Returns a document with all its texts replaced.
  func redacted(_ json: JSONValue) -> JSONValue {
    switch json {
    case .string(let text): .string(redacted(text))
    case .array(let elements): .array(elements.map(redacted))
    case .object(let members):
      .object(
        Dictionary(members.map { (redacted($0.key), redacted($0.value)) }) { first, _ in first })
    case .null, .bool, .integer, .number: json
    }
  }

  // MARK: View models

  /// Returns the name of a view model in the copy, such as `profile/1`.
  package func name(_ name: Text) -> Text {
    // By bytes here, too.
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1)
      .map { Text(Substring($0)) }
    return parts.count == 2 ? "\(parts[0])/\(key(parts[1]))" : name
  }

  /// Returns the key with another text in place of its session, also if the session is cut off. A known id that only
  /// looks like a key with such a session stays.
  private func key(_ key: Text) -> Text {
    let isID = names.contains(key) && !hasSession(key)
    guard !isID, let at = key.utf8.lastIndex(of: UInt8(ascii: "@")) else { return key }
    let element = Text(Substring(key.utf8[..<at]))
    let session = Text(Substring(key.utf8[at...].dropFirst()))
    return "\(element)@\(texts.replacing(session))"
  }

  /// Whether a text ends with a whole session. Clients may send it by mistake where an id is expected.
  private func hasSession(_ text: Text) -> Bool {
    (try? InstanceKey(text, isPersonal: true))?.hasSession == true
  }

  /// Returns the token that a revision of a view model has in the copy.
  package func token(_ token: RevisionToken, of name: Text, at position: Int) -> RevisionToken {
    let epoch = epochs.epoch(token.epoch, of: name, as: self.name(name), upTo: position)
    return RevisionToken(epoch: epoch, number: token.number)
  }

  private func token(_ json: JSONValue, of name: Text, at position: Int) -> JSONValue {
    guard case .string(let text) = json, let old = RevisionToken(text.string) else { return json }
    return .string(Text(token(old, of: name, at: position).description))
  }

  // MARK: Entries and checkpoints

  /// Returns an entry with its texts replaced.
  func redacted(_ entry: Entry) -> Entry {
    guard case .object(let members) = entry.input else { return entry }
    var (name, redacted): (Text, [Text: JSONValue]) = ("", [:])
    if case .string(let screen)? = members["screen"], case .string(let key)? = members["key"] {
      name = "\(screen)/\(key)"
      redacted["key"] = .string(self.key(key))
    }
    for (member, value) in members where redacted[member] == nil {
      switch (member, value) {
      case ("kind", _), ("store", _), ("screen", _): redacted[member] = value
      case ("epoch", .string(let text)):
        let old = RevisionEpoch(text.string).map { RevisionToken(epoch: $0, number: 0) }
        let new = old.map { token($0, of: name, at: entry.position).epoch.description }
        redacted[member] = .string(new.map { Text($0) } ?? text)
      case ("expected", .array(let tokens)):
        redacted[member] = .array(tokens.map { token($0, of: name, at: entry.position) })
      default: redacted[member] = self.redacted(value)
      }
    }
    return Entry(
      position: entry.position, time: entry.time, input: .object(redacted))
  }

  /// Returns a recorded state with its texts replaced. Its changes become those of a redacted state.
  private func redactedState(_ record: JSONValue) -> JSONValue {
    record.changing("state", redacted).changing("changes", redacted)
  }

  /// Returns a checkpoint with its texts replaced.
  func redacted(_ checkpoint: Checkpoint) -> Checkpoint {
    var parts = checkpoint.parts
    for name in checkpoint.stores.map(Checkpoint.storePart) {
      // The versions have ids alone.
      parts[name] = parts[name]?.changing("value", redacted)
    }
    for screen in checkpoint.screens {
      let part = Checkpoint.screenPart(screen)
      guard case .object(let states)? = parts[part] else { continue }
      parts[part] = .object(
        states.reduce(into: [:]) { states, state in
          let name: Text = "\(screen)/\(state.key)"
          states[key(state.key)] = state.value
            .changing("state", redactedState).changing("cause", redacted)
            .changing("token") { token($0, of: name, at: checkpoint.position) }
        })
    }
    for screen in checkpoint.screens {
      let part = Checkpoint.initialPart(screen)
      guard case .object(let states)? = parts[part] else { continue }
      parts[part] = .object(states.mapValues(redactedState))
    }
    parts[EngineRecord.part] = parts[EngineRecord.part]?.changing("outcomes", redacted)
      .changing("seed") { _ in .array(epochs.new.seed.map { .integer(Int($0)) }) }
    return Checkpoint(position: checkpoint.position, parts: parts)
  }
}

extension JSONValue {
  /// Returns the object with a change of one member, if it has the member.
  fileprivate func changing(_ name: Text, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    guard case .object(var members) = self, let value = members[name] else { return self }
    members[name] = change(value)
    return .object(members)
  }
}
