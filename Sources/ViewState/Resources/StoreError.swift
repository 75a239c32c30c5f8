public import CanonicalJSON

/// The reason why a store refuses a read or a write, which changes nothing then.
public enum StoreError: KeyRefusal, Hashable {
  /// No element of this kind has the id.
  case missing(MissingElement)
  /// A resource has the id already.
  case duplicateID(ResourceID)
  /// The version of the resource is not the expected one.
  case changedMeanwhile
  /// The store has reached a limit.
  case full
  /// The body is not a valid resource of this kind.
  case malformed(JSONShapeError)
  /// The key of the request was used for another request before.
  case reusedKey
  /// The journal cannot record the write now.
  case notRecorded
  /// The journal has not confirmed in time that it has recorded the write, which may still be applied.
  case unconfirmed
}

extension StoreError {
  package var isFinal: Bool {
    self != .changedMeanwhile && self != .notRecorded && self != .unconfirmed
  }
}

/// The kind of an element that a store does not have.
public struct MissingElement: Codable, Hashable, Sendable {
  /// The name of one element, such as `todo`.
  public let noun: Text
  /// The code of the problem for programs, such as `unknown-todo`.
  public let code: Text
  /// The sentence of the problem for people.
  public let detail: Text

  /// Names the kind.
  ///
  /// ```swift
  /// MissingElement("todo", of: "list")  // unknown-todo: the list has no todo of this id
  /// ```
  ///
  /// - Parameters:
  ///   - noun: The name of one element.
  ///   - owner: The name of the parents of such elements; `nil` if they have no parents.
  ///   - code: The code of the problem; unless given, `unknown-` and the name.
  ///   - detail: The sentence of the problem; unless given, it says that there is no such element.
  public init(_ noun: Text, of owner: Text? = nil, code: Text? = nil, detail: Text? = nil) {
    self.noun = noun
    self.code =
      code ?? Text("unknown-" + noun.string.split(separator: " ").joined(separator: "-"))
    self.detail =
      detail ?? owner.map { "the \($0) has no \(noun) of this id" }
      ?? "there is no \(noun) of this id"
  }
}

extension Refusal {
  /// Creates the refusal of a command whose write a store has refused. A ``Command`` makes it of an error that its closure
  /// throws.
  public init(_ error: StoreError) {
    switch error {
    case .malformed(let error): self.init(error)
    case .missing(let element): self.init("type", "there is no such \(element.noun)")
    case .duplicateID(let id): self.init("id", "the id \(id) is in use")
    case .full: self.init("type", "the store is full")
    case .changedMeanwhile: self.init("type", "another write came first")
    case .reusedKey: self.init("type", "the key was used for another request before")
    case .notRecorded: self.init("type", "the journal cannot record the write now")
    case .unconfirmed: self.init("type", "the journal has not confirmed the write")
    }
  }
}
