public import CanonicalJSON
public import Snapshots

/// A client's copy of one view model, kept in step by the documents that the server sends.
///
/// A replica holds a proven revision at any time: each document is checked in full, down to the
/// number of rows and the digest, before it takes effect, and one that fails changes nothing.
public struct Replica: Hashable, Sendable {
  /// The screen and key, such as `profile/1`.
  public let screen: Text
  /// The revision that the snapshot is of; compare it for equality only.
  public private(set) var revision: Text
  /// The view model.
  public private(set) var snapshot: Snapshot

  /// Starts a replica from its first document, a `snapshot` or a `reset`.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes.
  /// - Throws: ``ReplicaError``; a diff is an unexpected document here.
  public init(document bytes: [UInt8]) throws(ReplicaError) {
    let document = try WireDocument(parsing: bytes)
    guard case .snapshot(let snapshot) = document.body else {
      throw .unexpectedShape(
        JSONShapeError(
          pointer: JSONPointer(tokens: ["kind"]), message: "the first document cannot be a diff"))
    }
    screen = document.screen
    revision = document.revision
    self.snapshot = snapshot
  }

  /// Takes a document from the server, whatever its kind, and gives what changed by it: of a
  /// `snapshot` or `reset` the difference to the snapshot before, so that a list on a screen is
  /// updated in the same way by every document.
  ///
  /// - Complexity: that of reading the document and of `Snapshot.applying(_:)` or
  ///   `Snapshot.difference(from:)`.
  /// - Throws: ``ReplicaError``; the replica is as it was. After an error other than
  ///   ``ReplicaError/otherScreen(expected:found:)`` a client asks for the snapshot anew.
  @discardableResult
  public mutating func apply(document bytes: [UInt8]) throws(ReplicaError) -> Changeset {
    let document = try WireDocument(parsing: bytes)
    guard document.screen == screen else {
      throw .otherScreen(expected: screen, found: document.screen)
    }
    let changeset: Changeset
    switch document.body {
    case .snapshot(let new):
      changeset = new.difference(from: snapshot)
      snapshot = new
    case .diff(let from, let diff):
      guard from == revision else { throw .otherRevision(expected: revision, found: from) }
      do {
        snapshot = try snapshot.applying(diff)
      } catch {
        throw .inapplicable(error)
      }
      changeset = diff
    }
    revision = document.revision
    return changeset
  }

  /// Takes the newer name of the view model that the replica has: what a client does with the
  /// `View-Revision` of a 204, which differs from `revision` after a change that cannot be seen.
  ///
  /// ```swift
  /// if status == 204 { replica.rename(to: viewRevision) }
  /// ```
  ///
  /// - Complexity: O(1).
  public mutating func rename(to revision: Text) {
    self.revision = revision
  }

  /// The snapshot document of the replica's revision, byte for byte as the server sends it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public func canonicalBytes() -> [UInt8] {
    snapshot.encoded(kind: .snapshot, screen: screen, revision: revision)
  }
}
