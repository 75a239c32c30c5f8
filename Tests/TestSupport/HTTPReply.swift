/// A reply as it was read from a socket.
public struct HTTPReply: Sendable, Equatable {
  /// The status code.
  public var status: Int
  /// The fields in the order they came in, names in lower case.
  public var fields: [(name: String, value: String)]
  /// The content.
  public var body: [UInt8]

  /// The content as text, with U+FFFD for what is not UTF-8.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The value of a field, whose name is given in lower case; several are joined by `, `.
  public subscript(_ name: String) -> String? {
    let values = fields.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  public static func == (left: HTTPReply, right: HTTPReply) -> Bool {
    left.status == right.status && left.body == right.body
      && left.fields.map(\.name) == right.fields.map(\.name)
      && left.fields.map(\.value) == right.fields.map(\.value)
  }
}
