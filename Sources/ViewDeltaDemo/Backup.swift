#if SQLite
  import ArgumentParser
  import ViewDelta
  import ViewDeltaSQLite

  /// The command `viewdelta backup`, which copies a journal.
  struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copy a journal, also while a server uses it.",
      discussion: """
        The copy has all changes that were answered before the command began. It is complete or not there, and an \
        existing file is never overwritten. A server starts from it with --journal.

        EXAMPLE:
          viewdelta backup --journal demo.journal --to monday.journal
        """)

    @Option(help: ArgumentHelp("The file of the journal.", valueName: "file"))
    var journal: String

    @Option(name: .customLong("to"), help: ArgumentHelp("The new file.", valueName: "file"))
    var copy: String

    func run() throws {
      do { try SQLiteJournal.copy(journal, to: copy) } catch { throw error.reported() }
    }
  }
#endif
