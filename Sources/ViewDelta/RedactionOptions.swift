public import ArgumentParser
import CanonicalJSON
public import ViewDeltaServer
public import ViewState

/// The options of a command that copies a journal with its texts replaced, for a bug report.
///
/// ```swift
/// struct Export: ParsableCommand {
///   @Option var journal: String
///   @Option var to: String
///   @OptionGroup var redaction: RedactionOptions
///
///   func run() throws {
///     do {
///       guard redaction.redact else { return try SQLiteJournal.copy(journal, to: to) }
///       try SQLiteJournal.create(to) { copy in
///         try redaction.copy(SQLiteJournal(reading: journal), to: copy) { NotesFeature() }
///       }
///     } catch let error as JournalError {
///       throw error.reported()
///     }
///   }
/// }
/// ```
public struct RedactionOptions: ParsableArguments {
  /// Whether texts are replaced in the copy.
  @Flag(
    help: ArgumentHelp(
      "Replace all texts in the copy, for a bug report.",
      discussion: """
        Each letter and digit of what users have written becomes another one, under a random key that is not kept. \
        Equal words stay equal, words with the same beginning keep one in common, and lengths stay. Numbers, dates, \
        ids, member names that the program declares, and texts that are equal to one of these do not change. The \
        sort order of texts changes. Sessions and the seed of revisions are replaced, so they cannot be used on the \
        server. The command replays the journal and the copy, and keeps the copy only if each input has the same \
        effect in both.
        """))
  public var redact = false

  @Option(
    help: ArgumentHelp(
      "A field whose texts stay in a copy with --redact. Repeatable.",
      discussion: """
        The name of a member, or the id of a row of a form, such as that of a number with a check digit. A text that \
        a kept field has is kept everywhere in the copy.
        """, valueName: "field"))
  var keep: [String] = []

  /// Creates the default options.
  public init() {}

  public func validate() throws {
    if !keep.isEmpty, !redact { throw ValidationError("--keep needs --redact") }
  }

  /// Copies a journal with its texts replaced, even if ``redact`` is not set, and checks that each input has the same
  /// effect in the copy.
  ///
  /// - Parameters:
  ///   - journal: The journal, which no server changes meanwhile.
  ///   - copy: An empty journal. After an error it must be thrown away.
  ///   - isEarly: Returns whether the copy may begin with a checkpoint. It begins with the last such checkpoint, or
  ///     with the oldest checkpoint if there is none.
  ///   - features: The screens and other features of the program that wrote the journal.
  /// - Throws: `JournalError` that names the first input with another effect in the copy, and the fields that are the
  ///   cause; an exit code, after a line on standard error, if a field to keep is not in the journal.
  public func copy(
    _ journal: any Journal, to copy: any Journal,
    since isEarly: ((Checkpoint.Mark) -> Bool)? = nil,
    @FeatureBuilder _ features: () throws -> [any Feature]
  ) throws {
    try withoutActuallyEscaping(features) { features in
      let journal = try RedactedJournal(journal, since: isEarly ?? { _ in false })
      let names = DeclaredNames()
      try names.learn(from: journal, features)
      var redaction = try Redaction(of: journal, names: names)
      for field in keep { try redaction.keep([Text(field)], of: journal) }
      try RedactedJournal(journal, redaction).copy(to: copy)
      let proof = RedactionProof(journal: journal, redaction: redaction, features: features)
      guard let difference = try proof.difference(from: copy) else { return }
      throw JournalError.damaged(try Self.message(difference, proof))
    }
  }

  /// The number of fields that are tried as the cause of a difference.
  private static let trialLimit = 50

  private static func message(
    _ difference: RedactionProof.Difference, _ proof: RedactionProof
  ) throws -> String {
    let place =
      "with other texts, position \(difference.position) \(difference.reason), so there is no copy"
    func isSame(_ redaction: Redaction) throws -> Bool {
      let trial = RedactionProof(
        journal: proof.journal, redaction: redaction, features: proof.features)
      let copy = try RedactedJournal(proof.journal, redaction)
      return try trial.difference(from: copy, until: difference.position) == nil
    }
    var (fields, redaction): ([Text], Redaction) = ([], proof.redaction)
    for field in try candidates(difference, proof).prefix(trialLimit) {
      try redaction.keep([field], of: proof.journal)
      fields.append(field)
      guard try isSame(redaction) else { continue }
      // Those before the last one may not be needed.
      for other in fields.dropLast() {
        let fewer = fields.filter { $0 != other }
        var redaction = proof.redaction
        try redaction.keep(Set(fewer), of: proof.journal)
        if try isSame(redaction) { fields = fewer }
      }
      let options = fields.map { "--keep \($0)" }.joined(separator: " ")
      return fields.count == 1
        ? "\(place); \(options) keeps the field that is the cause"
        : "\(place); \(options) keep the fields that are the cause"
    }
    return "\(place); no field is the cause"
  }

  /// The fields that may be the cause of a difference: those that its reason names first, then those of the input.
  private static func candidates(
    _ difference: RedactionProof.Difference, _ proof: RedactionProof
  ) throws(JournalError) -> [Text] {
    let input = try proof.journal.entries(after: difference.position - 1, limit: 1).first?.input
    let near = input.map(proof.redaction.fields) ?? []
    var fields: Set<Text> = []
    try proof.journal.forEachDocument(until: difference.position) { document in
      fields.formUnion(proof.redaction.fields(of: document))
    }
    func distance(_ field: Text) -> Int {
      if difference.reason.contains("/\(field))") { return 0 }
      return near.contains(field) ? 1 : 2
    }
    return fields.union(near).sorted { (distance($0), $0) < (distance($1), $1) }
  }
}

extension Redaction {
  /// Keeps the texts of some fields, for which it reads the journal once.
  fileprivate mutating func keep(_ fields: Set<Text>, of journal: RedactedJournal) throws {
    var texts: Set<Text> = []
    try journal.forEachDocument { document in
      document.forEachText { if fields.contains($0) { texts.insert($1) } }
    }
    guard !texts.isEmpty else {
      let names = fields.map(\.string).joined(separator: ", ")
      let reason = "--keep is '\(names)', but no field of that name has a text"
      throw StartError.invalid(reason).reported()
    }
    for text in texts { keep(text) }
  }
}
