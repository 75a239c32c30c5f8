import CanonicalJSON

/// Between which numbers a number has to be.
struct NumberBounds: Hashable, Sendable {
  let least: Double?
  let greatest: Double?

  /// Reads `min` and `max`.
  ///
  /// - Throws: `JSONShapeError` where what is entered is no number, and where no number could be
  ///   right.
  init(_ reader: JSONReader, of type: TextInputType) throws(JSONShapeError) {
    let (least, greatest) = (try reader.nullableMember("min"), try reader.nullableMember("max"))
    if let bound = least ?? greatest, type != .number {
      throw bound.error("only a number has bounds")
    }
    self.least = try least?.number()
    self.greatest = try greatest?.number()
    if let least = self.least, let bound = self.greatest, bound < least, let greatest {
      throw greatest.error("the greatest number is below the least")
    }
  }

  /// The members as they are read.
  var json: [Text: JSONValue] {
    var members: [Text: JSONValue] = [:]
    members["min"] = least.map(JSONValue.number)
    members["max"] = greatest.map(JSONValue.number)
    return members
  }

  /// What is wrong with a text that is a number.
  func fault(of text: Text) -> FieldFault? {
    guard let number = text.decimal else { return nil }
    if let least, number < least {
      return FieldFault(.tooSmall, "The number must be \(Self.text(least)) or more.")
    }
    if let greatest, number > greatest {
      return FieldFault(.tooLarge, "The number must be \(Self.text(greatest)) or less.")
    }
    return nil
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

extension FieldFault.Code {
  static let tooSmall = Self(rawValue: "too-small")
  static let tooLarge = Self(rawValue: "too-large")
}
