@_exported public import CanonicalJSON
@_exported public import Snapshots

/// A client's copy of a view model, kept up to date by the documents of the server.
///
/// A replica always has a verified revision: each document is checked completely, including the
/// number of rows and the digest, before it takes effect. An invalid document changes nothing.
///
///     var replica = try Replica(document: firstBody)
///     let changeset = try replica.apply(document: nextBody)
///     for insert in changeset.rows.inserts { print("inserted", insert.row.id, "at", insert.at) }
public struct Replica: Hashable, Sendable {
  /// The screen and key, such as `profile/1`.
  public let screen: Text
  /// The revision of the snapshot. Compare it only for equality.
  public private(set) var revision: Text
  /// The view model.
  public private(set) var snapshot: Snapshot

  /// Creates a replica from its first document, a `snapshot` or a `reset`.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes.
  /// - Throws: ``ReplicaError``; ``ReplicaError/unexpectedShape(_:)`` if the document is a diff.
  public init(document bytes: [UInt8]) throws(ReplicaError) {
    try self.init(WireDocument(parsing: bytes))
  }

  init(_ document: WireDocument) throws(ReplicaError) {
    guard case .snapshot(let snapshot) = document.body else {
      throw .unexpectedShape(JSONShapeError(["kind"], "the first document cannot be a diff"))
    }
    screen = document.screen
    revision = document.revision
    self.snapshot = snapshot
  }

  /// Applies a document of any kind from the server and returns the changes. For a `snapshot` or
  /// `reset` the changes are the difference from the previous snapshot, so that an app updates its list in
  /// the same way for every document. A diff increases the generations of the sections and rows that it reloads.
  ///
  ///     let changeset = try replica.apply(document: body)
  ///
  /// - Complexity: That of reading the document and of `Snapshot.applying(_:)` or
  ///   `Snapshot.difference(from:)`.
  /// - Throws: ``ReplicaError``; the replica is unchanged. ``ReplicaError/otherRevision(expected:found:)`` is no fault
  ///   if several requests are under way, such as a long poll and a command with `since`: another answer has moved
  ///   the replica meanwhile. A client drops this one, and polls, or opens its stream again, with ``revision``. After
  ///   an error other than this and ``ReplicaError/otherScreen(expected:found:)`` it requests the snapshot again.
  @discardableResult
  public mutating func apply(document bytes: [UInt8]) throws(ReplicaError) -> Changeset {
    try apply(WireDocument(parsing: bytes))
  }

  mutating func apply(_ document: WireDocument) throws(ReplicaError) -> Changeset {
    guard document.screen == screen else {
      throw .otherScreen(expected: screen, found: document.screen)
    }
    var changeset: Changeset
    switch document.body {
    case .snapshot(let new):
      changeset = new.difference(from: snapshot)
      // A whole view model does not say what is drawn again.
      (changeset.sections.reloads, changeset.rows.reloads) = ([], [])
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

  /// Sets a newer revision for the same content. Call it with the `View-Revision` of a 204, which differs from
  /// ``revision`` after a change that is not visible.
  ///
  ///     if status == 204 { replica.rename(to: viewRevision) }
  ///
  /// A client drops a 204 if the replica has another revision by now than the request named.
  ///
  /// - Complexity: O(1).
  public mutating func rename(to revision: Text) {
    self.revision = revision
  }

  /// Returns the snapshot document of the replica's revision, byte for byte as the server sends it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public func canonicalBytes() -> [UInt8] {
    snapshot.encoded(kind: .snapshot, screen: screen, revision: revision)
  }
}
