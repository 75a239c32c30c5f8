#if SQLite
  import ArgumentParser
  import ViewDelta
  import ViewDeltaSQLite

  /// The command `viewdelta backup`, which copies a journal.
  struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copy a journal, or its last inputs, even while a server uses it.",
      discussion: """
        The copy has all changes that were answered before the command began. If the command fails, no part of a \
        copy is left, and an existing file is never overwritten. A server starts from the copy with --journal. Copy a \
        journal in Redis with the tools of Redis. `export` is another name of the command, for a copy that goes into a \
        bug report.

        EXAMPLES:
          viewdelta backup --journal demo.journal --to monday.journal
          viewdelta export --journal demo.journal --to bug.journal \\
            --since 2026-03-02T10:30:00Z
          viewdelta export --journal demo.journal --to bug.journal \\
            --redact --keep taxNumber
        """,
      aliases: ["export"])

    @Option(help: ArgumentHelp("The file of the journal.", valueName: "file"))
    var journal: String

    @Option(name: .customLong("to"), help: ArgumentHelp("The new file.", valueName: "file"))
    var copy: String

    @Option(
      help: ArgumentHelp(
        "The position, or the time, such as 2026-03-02T10:30:00Z, after which inputs are copied.",
        discussion: """
          The copy begins with the last checkpoint at or before this place. By default it has all inputs.
          """, valueName: "place"))
    var since: Place?

    @OptionGroup var redaction: RedactionOptions

    func validate() throws {
      try Program.checkFile(journal)
      if copy.isEmpty { throw ValidationError("--to is empty") }
    }

    func run() throws {
      do {
        guard redaction.redact else {
          return try SQLiteJournal.copy(journal, to: copy, since: since?.isAfter)
        }
        try SQLiteJournal.create(copy) { draft in
          let journal = try SQLiteJournal(reading: self.journal)
          try redaction.copy(journal, to: draft, since: since?.isAfter) { Program.features() }
        }
      } catch let error as JournalError {
        throw error.reported()
      }
    }

    /// A place in a journal.
    enum Place: ExpressibleByArgument {
      case position(Int)
      case time(Timestamp)

      init?(argument: String) {
        if let position = Int(argument), position >= 0 {
          self = .position(position)
        } else if let time = Timestamp(argument) {
          self = .time(time)
        } else {
          return nil
        }
      }

      func isAfter(_ mark: Checkpoint.Mark) -> Bool {
        switch self {
        case .position(let position): mark.position <= position
        case .time(let time): mark.time <= time
        }
      }
    }
  }
#endif
