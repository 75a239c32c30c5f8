public import CanonicalJSON
public import Snapshots

/// Why a replica refuses a document. The replica is as it was.
public enum ReplicaError: Error, Hashable, Sendable {
  /// The bytes are no JSON.
  case malformed(JSONParseError)
  /// The document lacks a member, or has one of another kind than it must be.
  case unexpectedShape(JSONShapeError)
  /// The document is of another screen than the replica's.
  case otherScreen(expected: Text, found: Text)
  /// The diff starts from another revision than the replica's.
  case otherRevision(expected: Text, found: Text)
  /// Several sections or rows of the document have one id.
  case duplicateIdentifiers(SnapshotError)
  /// The snapshot has another number of rows than it says.
  case rowCountMismatch(expected: Int, found: Int)
  /// The snapshot has another digest than it says.
  case digestMismatch(expected: Digest, found: Digest)
  /// The diff does not fit the replica's snapshot.
  case inapplicable(ChangesetError)
}

extension ReplicaError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .malformed(let error): "malformed JSON: \(error)"
    case .unexpectedShape(let error): "unexpected document: \(error)"
    case .otherScreen(let expected, let found):
      "the document is of screen \"\(found)\" instead of \"\(expected)\""
    case .otherRevision(let expected, let found):
      "the diff starts from revision \"\(found)\" instead of \"\(expected)\""
    case .duplicateIdentifiers(let error): "the document has ids that are \(error)"
    case .rowCountMismatch(let expected, let found):
      "the document has \(found) rows instead of \(expected)"
    case .digestMismatch(let expected, let found):
      "the document's digest is \(found) instead of \(expected)"
    case .inapplicable(let error): "the diff cannot be applied: \(error)"
    }
  }
}
