#if SQLite
  import ArgumentParser
  import ViewDelta
  import ViewDeltaSQLite

  /// The command `viewdelta check`, which checks a journal before this program serves it.
  struct CheckJournal: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Name the view models that would look different after a start from a journal.",
      discussion: """
        \(JournalCheck.discussion)

        EXAMPLE:
          viewdelta check --journal demo.journal &&
            viewdelta serve --journal demo.journal
        """)

    @Option(help: ArgumentHelp("The file of the journal, or of a copy.", valueName: "file"))
    var journal: String

    func validate() throws { try Program.checkFile(journal) }

    func run() throws {
      try JournalCheck.run(SQLiteJournal(reading: journal)) { Program.features() }
    }
  }
#endif
