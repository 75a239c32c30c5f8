/// The reason why a changeset cannot be applied to a snapshot. The snapshot is unchanged.
public struct ChangesetError: Error, Hashable, Sendable {
  /// The kind of error, as a stable identifier for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A position is outside of the old or the new snapshot.
    case positionOutOfRange = "position-out-of-range"
    /// The section or row at the position has another id than the operation names.
    case identifierMismatch = "identifier-mismatch"
    /// The operations are not in the order that ``Changeset`` requires, or two have the same
    /// position.
    case notInOrder = "not-in-order"
    /// A section or row is deleted or moved twice, or two elements go to the same position.
    case positionTaken = "position-taken"
    /// A row operation is inside a section that is deleted or inserted as a whole.
    case wholeSection = "whole-section"
    /// An update names another element than the one at its positions, or sets or removes fields
    /// that it cannot change.
    case invalidUpdate = "invalid-update"
    /// A reload names another element than the one at its positions, or one that is not kept.
    case invalidReload = "invalid-reload"
    /// A state to be removed does not exist.
    case unknownState = "unknown-state"
    /// Two sections or two rows of the result have the same id.
    case duplicateIdentifier = "duplicate-identifier"
    /// The result has another number of rows than the changeset states.
    case rowCountMismatch = "row-count-mismatch"
    /// The result has another digest than the changeset states.
    case digestMismatch = "digest-mismatch"
  }

  /// The kind of error.
  public var code: Code
  /// One sentence for people that names the operation.
  public var message: String
}

extension ChangesetError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }
}
