import HTTPTypes
import MicroHTTP

/// What a client names a request by, so that it can be sent again without being done again.
struct IdempotencyKey: Hashable, Sendable {
  private let method: String
  private let path: String
  private let name: String

  /// The longest name taken, in bytes.
  private static let longestName = 255

  /// What it takes in memory with its places in the tables, in bytes, estimated.
  var byteCount: Int { 512 + path.utf8.count + name.utf8.count }

  /// The key of a request; `nil` where it has none.
  ///
  /// - Throws: a 400 problem where it is given twice, empty, longer than 255 bytes, or not printable
  ///   ASCII.
  init?(_ request: Request) throws(ProblemDetails) {
    let values = request.values(for: .idempotencyKey)
    guard let name = values.first else { return nil }
    guard values.count == 1, (1...Self.longestName).contains(name.utf8.count),
      name.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else {
      throw ProblemDetails(
        status: .badRequest, code: "bad-field",
        detail: "Idempotency-Key must be given once, as 1 to 255 printable ASCII characters")
    }
    method = request.method.rawValue
    path = request.path
    self.name = name
  }
}
