public import CanonicalJSON
public import ViewState

/// The sources of the form screen.
public enum FormSource: Text, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case activity
  case registry
  case submission
}

/// The accounts of the form screen: forms with what has happened with them.
public enum FormSchema: AccountSchema {
  public typealias Holder = Form
  public typealias Entry = ActivityEntry
  public typealias Source = FormSource

  public static var name: Text { "forms" }
  public static var holdersName: Text { "forms" }
  public static var entriesName: Text { "activity" }

  public static var missingHolder: MissingElement { MissingElement("form") }
  public static var missingEntry: MissingElement { MissingElement("entry", of: "form") }
  public static var missingEntries: MissingElement? { nil }
  public static var hasUniqueEntries: Bool { false }

  public static var limits: AccountLimits {
    AccountLimits(accounts: 500, entriesPerAccount: 10_000, byteCount: 64 * 1024 * 1024)
  }

  /// The newest first.
  public static func precedes(
    _ left: WrittenEntry<ActivityEntry>, _ right: WrittenEntry<ActivityEntry>
  ) -> Bool {
    left.resource.position < right.resource.position
  }
}

/// The forms and what has happened with them, as a value.
public typealias FormData = AccountData<FormSchema>

/// The forms in memory, and what has happened with them.
public typealias FormStore = AccountStore<FormSchema>

extension FormData {
  /// Reads an object with the array `forms`, each with its sections and perhaps with `activity`, the entries
  /// of what has happened with it.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(
    _ reader: JSONReader, limits: AccountLimits = FormSchema.limits
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    var filling = AccountFilling<FormSchema>()
    for element in try reader.nullableMember("forms")?.elements() ?? [] {
      let form = try Form(element.omitting("activity"))
      try element.storing { () throws(Failure) in _ = try insert(form) }
      for item in try element.nullableMember("activity")?.elements() ?? [] {
        let entry = try ActivityEntry(item)
        try item.storing { () throws(Failure) in
          try filling.add(entry, of: form.id, to: &self)
        }
      }
    }
    filling.end(in: &self)
  }

  /// The forms that a server starts with: one with every kind of row, and a small one.
  public static func demo() -> FormData {
    DemoData.read(FormFeature.demo) { data throws(JSONShapeError) in try FormData(data) }
  }
}

extension FormStore {
  /// Sends the answers to a form: they become an entry of its activity.
  ///
  /// - Returns: The id of the entry.
  /// - Throws: `LoadFailure` if there is no such form any longer, if the store is full, or if the answers are larger
  ///   than those of an entry can be.
  func send(
    _ answers: JSONValue, to form: ResourceID, in transaction: inout Transaction
  ) throws(LoadFailure) -> ResourceID {
    do throws(Failure) {
      // A larger entry could not be read back.
      guard answers.canonicalBytes().count <= JSONReader.longestDocument else { throw .full }
      let data = transaction[store]
      var entry = ActivityEntry(id: data.freeEntryID(of: form))
      entry.date = transaction.time
      entry.text = try data.holder(form).resource.title.followed(by: ": sent")
      entry.answers = answers
      _ = try transaction.write(.addEntry(entry, of: form), to: store)
      return entry.id
    } catch {
      switch error {
      case .full: throw FormScreen.storeFull
      case .missing: throw .missing
      case .duplicateID, .changedMeanwhile, .malformed, .reusedKey: throw .unavailable
      }
    }
  }
}

extension Text {
  /// This title with more at its end, cut if it would be longer than a text that clients write.
  fileprivate func followed(by end: String) -> Text {
    if byteCount + end.utf8.count <= JSONReader.longestShownText { return "\(self)\(end)" }
    let end = "…" + end
    var bytes = utf8.prefix(JSONReader.longestShownText - end.utf8.count)
    while String(bytes) == nil { bytes.removeLast() }
    return "\(Substring(bytes))\(end)"
  }
}
