public import CanonicalJSON
public import ViewState

/// The forms with their activity.
public typealias FormData = NestedCollection<ActivityEntry>

/// The forms in memory, with their activity.
public typealias FormStore = Store<FormData>

extension ActivityEntry: ChildResource {
  public typealias Parent = Form

  public static let nouns: (parent: Text, child: Text) = ("form", "entry")
  public static let arrays: (parents: Text, children: Text) = ("forms", "activity")
  public static let limits = CollectionLimits(
    count: 500, byteCount: 64 * 1024 * 1024, childCount: 10_000)

  /// The newest first.
  public static func precedes(
    _ left: Created<ActivityEntry>, _ right: Created<ActivityEntry>
  ) -> Bool {
    left.resource.position < right.resource.position
  }
}

extension FormData {
  /// The forms that a server starts with: one with every kind of row, and a small one.
  public static func demo() -> FormData {
    DemoData.read(FormFeature.demo) { data throws(JSONShapeError) in try FormData(reading: data) }
  }
}

extension FormStore {
  /// Sends the answers to a form: they become an entry of its activity, whose text is in a language.
  ///
  /// - Returns: The id of the entry.
  /// - Throws: `FormScreen.storeFull` if the store is full, or if the answers are larger than those of an entry can be,
  ///   and `StoreError` if there is no such form any longer.
  func send(
    _ answers: JSONValue, to form: ResourceID, in language: Language,
    _ transaction: inout Transaction
  ) throws -> ResourceID {
    do {
      // A larger entry could not be read back.
      guard answers.canonicalByteCount <= LongestText.document else { throw StoreError.full }
      let title = try transaction[self].parent(form).resource.title
      let entry: JSONValue = [
        "answers": answers, "date": .string(transaction.time.description),
        "text": .string(
          title.line(followedBy: Localized(en: ": sent", de: ": gesendet")[language].string)),
      ]
      let output = try transaction.write(.child(.create(entry), of: form), to: self)
      guard case .child(let sent) = output else { throw LoadFailure.missing }
      return sent.resource.id
    } catch StoreError.full {
      throw FormScreen.storeFull
    }
  }
}
