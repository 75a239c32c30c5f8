import ArgumentParser
import CanonicalJSON
import Screens

/// A duration on the command line: `500ms`, `2s`, `1.5s`.
struct DurationOption: ExpressibleByArgument {
  let duration: Duration
  /// The text of the argument.
  let defaultValueDescription: String

  /// The longest accepted duration.
  private static let longest = Duration.seconds(3600)

  init?(argument: String) {
    let unit: Duration
    let digits: Substring
    if argument.hasSuffix("ms") {
      (unit, digits) = (.milliseconds(1), argument.dropLast(2))
    } else if argument.hasSuffix("s") {
      (unit, digits) = (.seconds(1), argument.dropLast())
    } else {
      return nil
    }
    // `Double` also accepts signs, exponents and "nan", which are not durations.
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let number = Double(digits), number <= Self.longest / unit
    else { return nil }
    duration = unit * number
    defaultValueDescription = argument
  }

  /// Creates an option from a literal that is known to be valid.
  init(_ literal: StaticString) {
    guard let option = DurationOption(argument: "\(literal)") else {
      preconditionFailure("\(literal) is not a duration")
    }
    self = option
  }
}

/// A latency on the command line: of all sources (`500ms`) or of one (`posts=4s`).
struct LatencyOption: ExpressibleByArgument {
  private let sources: [Text]
  private let duration: Duration
  /// The text of the argument.
  let defaultValueDescription: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let time = parts.last.flatMap({ DurationOption(argument: String($0)) }) else {
      return nil
    }
    if parts.count == 1 {
      sources = Self.known
    } else {
      guard Self.known.contains(Text(parts[0])) else { return nil }
      sources = [Text(parts[0])]
    }
    duration = time.duration
    defaultValueDescription = argument
  }

  /// Creates an option from a literal that is known to be valid.
  init(_ literal: StaticString) {
    guard let option = LatencyOption(argument: "\(literal)") else {
      preconditionFailure("\(literal) is not a latency")
    }
    self = option
  }

  /// The names of all sources.
  private static let known =
    ProfileSource.allCases.map(\.rawValue) + PodcastsSource.allCases.map(\.rawValue)
    + FormSource.Name.allCases.map(\.rawValue)

  /// Returns the latency of each source of the profile. A later option overrides an earlier one.
  static func latencies(_ options: [LatencyOption]) -> [ProfileSource: Duration] {
    ProfileSource.allCases.reduce(into: [:]) { $0[$1] = latency(of: $1.rawValue, options) }
  }

  /// Returns the latency of the podcasts.
  static func podcasts(_ options: [LatencyOption]) -> Duration {
    latency(of: PodcastsSource.podcasts.rawValue, options) ?? .zero
  }

  /// Returns the latency of each source of a form.
  static func form(_ options: [LatencyOption]) -> [FormSource.Name: Duration] {
    FormSource.Name.allCases.reduce(into: [:]) { $0[$1] = latency(of: $1.rawValue, options) }
  }

  private static func latency(of source: Text, _ options: [LatencyOption]) -> Duration? {
    options.last { $0.sources.contains(source) }?.duration
  }
}
