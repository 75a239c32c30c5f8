import CanonicalJSON
import TestSupport

/// Throws unless a value reads back from its bytes as it was, is written as the same bytes then, and
/// what is nearly such a document is read or refused.
///
/// - Returns: The value as it was read back.
@discardableResult
func requireCoding<Value: Codable & Equatable>(
  _ value: Value, _ random: inout SeededGenerator
) throws -> Value {
  let bytes = try JSONValue(encoding: value).canonicalBytes()
  let json = try JSONValue(parsing: bytes, limits: .greatest)
  let again = try json.decode(Value.self)
  try require(again == value, "\(json) reads back as another value")
  let rewritten = try JSONValue(encoding: again)
  try require(rewritten.canonicalBytes() == bytes, "\(json) is written as \(rewritten) then")
  _ = try? json.spoilt(&random).decode(Value.self)
  return again
}
