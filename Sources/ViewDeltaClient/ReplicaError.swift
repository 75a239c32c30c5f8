public import CanonicalJSON
public import Snapshots

/// The reason why a replica refuses a document. The replica is unchanged.
public enum ReplicaError: Error, Hashable, Sendable {
  /// The bytes are not JSON.
  case malformed(JSONParseError)
  /// The document lacks a member, or a member has the wrong type.
  case unexpectedShape(JSONShapeError)
  /// The document belongs to another screen or key than the replica.
  case otherScreen(expected: Text, found: Text)
  /// The diff starts from another revision than the replica's.
  case otherRevision(expected: Text, found: Text)
  /// The document shows the view model through another window than was asked for; `nil` means all rows.
  case otherWindow(expected: RowWindow?, found: RowWindow?)
  /// Several sections or rows of the document have the same id.
  case duplicateIdentifiers(SnapshotError)
  /// The snapshot has another number of rows than the document states, or the document states another number than its
  /// window has.
  case rowCountMismatch(expected: Int, found: Int)
  /// The snapshot has another digest than the document states.
  case digestMismatch(expected: Digest, found: Digest)
  /// The diff cannot be applied to the replica's snapshot.
  case inapplicable(ChangesetError)
}

extension ReplicaError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .malformed(let error): "malformed JSON: \(error)"
    case .unexpectedShape(let error): "unexpected document: \(error)"
    case .otherScreen(let expected, let found):
      "the document is of \"\(found)\" instead of \"\(expected)\""
    case .otherRevision(let expected, let found):
      "the diff starts from revision \"\(found)\" instead of \"\(expected)\""
    case .otherWindow(let expected, let found):
      "the document has \(Self.text(found)) instead of \(Self.text(expected))"
    case .duplicateIdentifiers(let error): "the document has ids that are \(error)"
    case .rowCountMismatch(let expected, let found):
      "the document has \(found) rows instead of \(expected)"
    case .digestMismatch(let expected, let found):
      "the document's digest is \(found) instead of \(expected)"
    case .inapplicable(let error): "the diff cannot be applied: \(error)"
    }
  }

  private static func text(_ window: RowWindow?) -> String {
    window.map { "the window \($0.start),\($0.count)" } ?? "all rows"
  }
}
