/// Why a changeset cannot be applied to a snapshot. The snapshot is as it was.
public struct ChangesetError: Error, Hashable, Sendable {
  /// What is wrong, as a stable word for machines.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A position outside the snapshot before or after.
    case positionOutOfRange = "position-out-of-range"
    /// Another section or row stands at the position than the one that is named.
    case identifierMismatch = "identifier-mismatch"
    /// The operations are not in the order that the contract demands, or two have one position.
    case notInOrder = "not-in-order"
    /// A section or row is taken away twice, or two are put into one place.
    case positionTaken = "position-taken"
    /// A row operation inside a section that is deleted or inserted as a whole.
    case wholeSection = "whole-section"
    /// An update that names another element than the one it is for, or fields it cannot change.
    case invalidUpdate = "invalid-update"
    /// A state is to vanish that is not there.
    case unknownState = "unknown-state"
    /// Two sections or two rows of the result have one id.
    case duplicateIdentifier = "duplicate-identifier"
    /// The result has another number of rows than the changeset promises.
    case rowCountMismatch = "row-count-mismatch"
    /// The result has another digest than the changeset promises.
    case digestMismatch = "digest-mismatch"
  }

  public var code: Code
  /// One sentence for people that names the operation.
  public var message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}

extension ChangesetError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }
}
