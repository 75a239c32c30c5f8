import ArgumentParser

/// A time on the command line: `500ms`, `2s`, `1.5s`.
struct DurationOption: ExpressibleByArgument {
  let duration: Duration
  /// As it was written.
  let defaultValueDescription: String

  /// The longest time taken.
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
    // Of what `Double` reads, only digits with a point are a time: no sign, exponent or "nan".
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let number = Double(digits), number <= Self.longest / unit
    else { return nil }
    duration = unit * number
    defaultValueDescription = argument
  }

  /// A time known to be one.
  init(_ literal: StaticString) {
    guard let option = DurationOption(argument: "\(literal)") else {
      preconditionFailure("\(literal) is no time")
    }
    self = option
  }
}
