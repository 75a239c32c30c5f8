import ArgumentParser
import CanonicalJSON
import ViewState

/// A duration on the command line: `500ms`, `2s`, `1.5s`, `90m`.
struct DurationOption: ExpressibleByArgument {
  let duration: Duration
  /// The text of the argument.
  let defaultValueDescription: String

  /// The longest accepted duration in milliseconds: ten years.
  private static let longest = 3_650.0 * 86_400_000

  private static let units: [(suffix: String, milliseconds: Double)] = [
    ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  init?(argument: String) {
    guard let (suffix, milliseconds) = Self.units.first(where: { argument.hasSuffix($0.suffix) })
    else {
      return nil
    }
    let digits = argument.dropLast(suffix.count)
    // `Double` also accepts signs, exponents and "nan", which are not durations.
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let number = Double(digits),
      number * milliseconds <= Self.longest
    else { return nil }
    duration = .milliseconds(1) * (number * milliseconds)
    defaultValueDescription = argument
  }

  /// Creates an option from a literal that is known to be valid.
  init(_ literal: StaticString) {
    guard let option = DurationOption(argument: "\(literal)") else {
      fatalError("\(literal) is not a duration")
    }
    self = option
  }
}

/// A latency on the command line: of all sources (`500ms`) or of one (`posts=4s`).
struct LatencyOption: ExpressibleByArgument {
  /// The source; `nil` for all.
  let source: Text?
  let duration: Duration

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let time = parts.last.flatMap({ DurationOption(argument: String($0)) }) else {
      return nil
    }
    source = parts.count == 1 ? nil : Text(parts[0])
    duration = time.duration
  }

  /// Overrides latencies: first those of all sources, so that the order of the options does not count.
  static func apply(_ options: [Self], to latencies: inout Latencies) {
    if let all = options.last(where: { $0.source == nil }) {
      latencies = Latencies(others: all.duration)
    }
    for option in options {
      if let source = option.source { latencies[source] = option.duration }
    }
  }
}
