import ArgumentParser
import ViewDeltaServer
import ViewState

/// The options that say how long a journal is kept.
struct RetentionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The time for which the journal keeps inputs: 90m, 12h or 7d.",
      discussion: """
        viewdelta replay goes back that far. By default the journal keeps what a start needs: the \
        inputs of the last ten minutes, at most 16,384, and up to 8,192 more. If the journal keeps \
        more, a start takes no longer.
        """, valueName: "time"))
  var journalKeep = KeptTime(duration: .zero)

  @Option(
    help: ArgumentHelp(
      """
      The size of the journal beyond which the oldest inputs are removed before that time, in MiB (default: \
      \(defaultLimit)).
      """, valueName: "MiB"))
  var journalLimit: Int?

  private static let defaultLimit = JournalRetention().byteCount / (1024 * 1024)

  /// The name of a given option that needs a journal; `nil` if none is given.
  var given: String? {
    if journalKeep.duration > .zero { return "--journal-keep" }
    return journalLimit == nil ? nil : "--journal-limit"
  }

  func validate() throws {
    let range = 1...1_000_000
    if let journalLimit, !range.contains(journalLimit) {
      throw ValidationError(
        "--journal-limit is \(journalLimit), but must be \(range.lowerBound) to \(range.upperBound)"
      )
    }
  }

  func apply(to configuration: inout ApplicationConfiguration) {
    configuration.retention = JournalRetention(
      age: journalKeep.duration, byteCount: (journalLimit ?? Self.defaultLimit) * 1024 * 1024)
  }

  /// A time of up to ten years.
  struct KeptTime: ExpressibleByArgument {
    let duration: Duration

    init(duration: Duration) { self.duration = duration }

    init?(argument: String) {
      guard let option = DurationOption(argument, atMost: .seconds(3_650 * 86_400)) else {
        return nil
      }
      duration = option.duration
    }

    var defaultValueDescription: String { "0s" }
  }
}
