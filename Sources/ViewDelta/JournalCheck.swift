import ArgumentParser
import CanonicalJSON
import Synchronization
public import ViewDeltaServer
public import ViewState

/// Checks a journal before a new program serves it.
///
/// ```swift
/// struct Check: ParsableCommand {
///   @Option var journal: String
///
///   func run() throws {
///     try JournalCheck.run(SQLiteJournal(reading: journal)) { NotesFeature() }
///   }
/// }
/// ```
public enum JournalCheck {
  /// The description of a check, for the help of a command.
  public static let discussion = """
    Starts from a journal as a server would, without serving and without changing the journal, and compares the view \
    models with what clients saw before. It compares those that were in memory when the last server stopped, or wrote \
    its last checkpoint. Each view model that looks different is named in a line: after the start, clients load it \
    again as a whole. Clients that send `have` keep all others. If states start over or are dropped, a line has their \
    number.

    The inputs since the last checkpoint are applied by the rules of this program. Each one that it refuses is named \
    in a line with its position: if another program had accepted it, a start of this one loses it.

    The exit code is 0 if all look the same, 1 if some look different, start over or are dropped, and 65 if an input, \
    a store or a state cannot be read; a line then has the position of the input, or the name of the store or of the \
    view model.
    """

  /// The exit code if some view models look different, start over or are dropped.
  private static let exitCode = ExitCode(1)

  /// Prints the view models that look different.
  ///
  /// - Parameters:
  ///   - journal: The journal.
  ///   - features: The screens and other features of this program.
  /// - Throws: An error for the `exit(withError:)` of the command.
  public static func run(
    _ journal: @autoclosure () throws(JournalError) -> any Journal,
    @FeatureBuilder _ features: () throws -> [any Feature]
  ) throws {
    do {
      let journal = try journal()
      let lost = Mutex<[String]>([])
      let replay = try Replay(
        journal, CheckpointSchedule(), program: ProgramStart.build,
        noting: { incident in
          if case .warning(let text) = incident { lost.withLock { $0.append(text) } }
        }, features: features)
      let losses = lost.withLock { $0 }
      for loss in losses { print(loss) }
      var refusedCount = 0
      let show = { (input: ReplayedInput) in
        guard let refusal = input.refusal else { return }
        refusedCount += 1
        print("\(input.entry.name) is refused at position \(input.entry.position): \(refusal)")
      }
      let found = try different(replay, journal.looks, show)
      try replay.run(show)
      let compared =
        found.map {
          "\($0.total) view model\($0.total == 1 ? "" : "s") compared, \($0.names.count) different"
        }
        ?? "nothing to compare, because no server has stopped"
      let refused = refusedCount == 0 ? "" : ", \(refusedCount) refused"
      print("\(replay.count) input\(replay.count == 1 ? "" : "s") applied\(refused), \(compared)")
      try StandardOutput.finish()
      if found?.names.isEmpty == false || !losses.isEmpty { throw exitCode }
    } catch let error as ExitCode {
      throw error
    } catch {
      // The exit code of other errors would say that view models look different.
      throw StartError(error).reported()
    }
  }

  /// Prints the view models that look different after the input of `looks`.
  ///
  /// - Returns: Their names, and the number of those that were compared; `nil` if there are none to compare.
  private static func different(
    _ replay: Replay, _ looks: Looks?, _ show: (ReplayedInput) -> Void
  ) throws(JournalError) -> (names: [Text], total: Int)? {
    // A server that was killed may have left those of another program.
    guard let looks, looks.position >= replay.start else { return nil }
    try replay.run(until: looks.position, show)
    var names: [Text] = []
    for (name, digest) in looks.digests.sorted(by: { $0.key < $1.key }) {
      let revision = replay.revision(of: name)
      if revision?.snapshot.digest.description == digest.string { continue }
      names.append(name)
      let look = revision == nil ? "is not shown" : "looks different"
      print("\(name) \(look) at position \(looks.position)")
    }
    return (names, looks.digests.count)
  }
}
