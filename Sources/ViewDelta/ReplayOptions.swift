public import ArgumentParser
import CanonicalJSON
public import ViewDeltaServer
public import ViewState

/// The options of a command that shows what the inputs of a journal did.
///
/// ```swift
/// import ArgumentParser
/// import ViewDelta
/// import ViewDeltaSQLite
///
/// struct Replay: ParsableCommand {
///   @Option var journal: String
///   @OptionGroup var options: ReplayOptions
///
///   func run() throws {
///     try options.replay(SQLiteJournal(reading: journal)) { NotesFeature() }
///   }
/// }
/// ```
public struct ReplayOptions: ParsableArguments {
  /// The description of a replay, for the help of a command.
  public static let discussion = """
    Applies the inputs of a journal again, without a server, and prints a line for each input: its position, its \
    time, its content, the reason if it was refused, and the view models that clients saw changing, with their new \
    revisions. The journal is not changed, and may be in use by a server.
    """

  @Option(
    help: ArgumentHelp(
      "The view model to show, such as profile/1.",
      discussion: """
        Prints the view model as it is at the beginning, and the diff of each input that changes it. With --until, \
        prints only the view model as it is at that position.
        """, valueName: "name"))
  var screen: String?

  @Option(help: ArgumentHelp("The position of the last input.", valueName: "position"))
  var until: Int?

  @Flag(help: "Print a JSON object in each line, with whole inputs.")
  var json = false

  /// Creates the default options.
  public init() {}

  /// Prints what the inputs of a journal did.
  ///
  /// - Parameters:
  ///   - journal: The journal.
  ///   - features: The screens and other features of the program that wrote the journal.
  /// - Throws: An error for the `exit(withError:)` of the command.
  public func replay(
    _ journal: @autoclosure () throws(JournalError) -> any Journal,
    @FeatureBuilder _ features: () throws -> [any Feature]
  ) throws {
    do {
      try run(Replay(journal(), features: features))
      try StandardOutput.finish()
    } catch let error as ExitCode {
      throw error
    } catch {
      throw StartError(error).reported()
    }
  }

  private func run(_ replay: Replay) throws {
    if let until, until < replay.start {
      throw StartError.invalid(
        "--until is \(until), but the journal begins after position \(replay.start)")
    }
    guard let name = screen.map({ Text($0) }) else {
      return try replay.run(until: until ?? .max) { show($0) }
    }
    if let until {
      try replay.run(until: until) { _ in }
      guard let revision = replay.revision(of: name) else { throw Self.unknown(name) }
      return show(revision)
    }
    var shown = replay.revision(of: name)
    if let shown { show(shown) }
    try replay.run { input in
      guard let revision = replay.revision(of: name), revision !== shown else { return }
      defer { shown = revision }
      guard let shown, revision.follows(shown) else { return show(revision) }
      if revision.isShown(as: shown) { return }
      show(input)
      let (from, to) = (Text(shown.token.description), Text(revision.token.description))
      show(revision.difference(from: shown).encoded(screen: name, from: from, revision: to))
    }
    if shown == nil { throw Self.unknown(name) }
  }

  private static func unknown(_ name: Text) -> StartError {
    .invalid("--screen is '\(name)', but there is no such view model")
  }

  private func show(_ revision: Revision) {
    show(
      revision.snapshot.encoded(
        kind: .snapshot, screen: revision.instanceName, revision: Text(revision.token.description)))
  }

  private func show(_ document: [UInt8]) { print(String(decoding: document, as: UTF8.self)) }

  private func show(_ input: ReplayedInput) {
    if json { show(input.json.canonicalBytes()) } else { print(input.line) }
  }
}

extension ReplayedInput {
  /// The input in a line for people.
  fileprivate var line: String {
    var line = "\(entry.position)  \(entry.time)  \(summary)"
    if let refusal { line += "  refused: \(refusal)" }
    for revision in revisions { line += "  \(revision.instanceName) \(revision.token)" }
    return line
  }

  private static let summaryLimit = 160

  /// The name of the input, and the beginning of the rest.
  private var summary: String {
    guard case .object(var rest) = entry.input else { return "" }
    for name: Text in ["kind", "store", "screen", "key", "epoch", "once", "expected"] {
      rest[name] = nil
    }
    // A command, a write and settings are one member each.
    let content = rest.count == 1 ? rest.first?.value ?? .null : .object(rest)
    let text = String(decoding: content.canonicalBytes(), as: UTF8.self)
    let clipped = text.count > Self.summaryLimit ? "\(text.prefix(Self.summaryLimit))…" : text
    return "\(entry.name) \(clipped)"
  }

  fileprivate var json: JSONValue {
    var members: [Text: JSONValue] = [
      "position": .integer(entry.position), "time": .string(Text(entry.time.description)),
      "input": entry.input,
      "revisions": .object(
        revisions.reduce(into: [:]) { $0[$1.instanceName] = .string(Text($1.token.description)) }),
    ]
    members["refusal"] = refusal.map { .string(Text($0)) }
    return .object(members)
  }
}
