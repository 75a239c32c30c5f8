/// As its text.
extension Timestamp: Codable {
  /// The moments that have a text.
  private static let writable =
    Timestamp(secondsSince1970: -62_167_219_200)...Timestamp(secondsSince1970: 253_402_300_799)

  /// - Throws: for a text that names no moment.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let moment = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a moment such as 2026-03-01T09:30:00Z")
    }
    self = moment
  }

  /// - Throws: for a moment outside the years 0 to 9999.
  public func encode(to encoder: any Encoder) throws {
    guard Self.writable.contains(self) else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "the moment is not in the years 0 to 9999"))
    }
    try description.encode(to: encoder)
  }
}
