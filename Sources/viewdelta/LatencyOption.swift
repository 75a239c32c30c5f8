import ArgumentParser
import Screens

/// A latency on the command line: of both sources (`500ms`) or of one (`posts=4s`).
struct LatencyOption: ExpressibleByArgument {
  private let sources: [ProfileSource]
  private let duration: Duration
  /// As it was written.
  let defaultValueDescription: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let time = parts.last.flatMap({ DurationOption(argument: String($0)) }) else {
      return nil
    }
    if parts.count == 1 {
      sources = ProfileSource.allCases
    } else {
      guard let source = ProfileSource(rawValue: String(parts[0])) else { return nil }
      sources = [source]
    }
    duration = time.duration
    defaultValueDescription = argument
  }

  /// A latency known to be one.
  init(_ literal: StaticString) {
    guard let option = LatencyOption(argument: "\(literal)") else {
      preconditionFailure("\(literal) is no latency")
    }
    self = option
  }

  /// The latency of each source; a later option beats an earlier one.
  static func latencies(_ options: [LatencyOption]) -> [ProfileSource: Duration] {
    options.reduce(into: [:]) { latencies, option in
      for source in option.sources { latencies[source] = option.duration }
    }
  }
}
