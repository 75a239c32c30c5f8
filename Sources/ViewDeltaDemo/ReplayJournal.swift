#if SQLite
  import ArgumentParser
  import ViewDelta
  import ViewDeltaSQLite

  /// The command `viewdelta replay`, which shows what the inputs of a journal did.
  struct ReplayJournal: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "replay",
      abstract: "Show what the inputs of a journal did.",
      discussion: """
        \(ReplayOptions.discussion)

        EXAMPLES:
          viewdelta replay demo.journal
          viewdelta replay demo.journal --screen scoreboard/1
          viewdelta replay demo.journal --screen scoreboard/1 --until 7 | jq .sections
        """)

    @ArgumentParser.Argument(help: "The file of the journal, or of a copy.")
    var journal: String

    @OptionGroup var options: ReplayOptions

    func validate() throws { try Program.checkFile(journal) }

    func run() throws {
      try options.replay(SQLiteJournal(reading: journal)) { Program.features() }
    }
  }
#endif
