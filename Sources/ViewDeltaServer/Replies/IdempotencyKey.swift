import CanonicalJSON
import HTTPTypes
import MicroHTTP

/// What a client names a request by, so that it can be sent again without being done again.
struct IdempotencyKey: Hashable, Sendable {
  private let method: Text
  private let path: Text
  private let name: Text

  /// The longest name taken, in bytes.
  private static let longestName = 255

  /// What it takes in memory with its places in the tables, in bytes, estimated.
  var byteCount: Int { 512 + path.utf8.count + name.utf8.count }

  /// The key of a request; `nil` where it has none. The draft has it quoted, as a string of
  /// structured fields (RFC 9651, section 3.3.3); without quotes it is the same key.
  ///
  /// - Throws: a 400 problem where it is given twice, empty, longer than 255 bytes, not printable
  ///   ASCII, or begins with a quote and is no such string.
  init?(_ request: Request) throws(ProblemDetails) {
    let values = request.values(for: .idempotencyKey)
    guard let value = values.first else { return nil }
    guard values.count == 1, let name = value.first == "\"" ? value.unquoted : value,
      (1...Self.longestName).contains(name.utf8.count),
      name.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else {
      throw ProblemDetails(
        status: .badRequest, code: "bad-field",
        detail: "Idempotency-Key must be given once, as 1 to 255 printable ASCII characters,"
          + " quoted as a structured field or bare")
    }
    method = Text(request.method.rawValue)
    path = Text(request.path)
    self.name = Text(name)
  }
}

extension String {
  /// What stands between the quotes of a string of structured fields; `nil` where this is none.
  fileprivate var unquoted: String? {
    var text: [UInt8] = []
    var rest = utf8.dropFirst()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return rest.isEmpty ? String(decoding: text, as: UTF8.self) : nil
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst(), next == byte || next == UInt8(ascii: "\"") else {
          return nil
        }
        text.append(next)
      default: text.append(byte)
      }
    }
    return nil
  }
}
