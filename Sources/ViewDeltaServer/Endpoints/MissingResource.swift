import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

/// A kind of element that a store may not have, with the reply of its endpoints then.
///
/// ```swift
/// enum Missing: MissingResource {
///   case note
///
///   var problem: ProblemDetails { .missing(code: "unknown-note", "there is no note of this id") }
/// }
/// ```
public protocol MissingResource: Codable, Hashable, Sendable {
  /// The 404 problem.
  var problem: ProblemDetails { get }
}

/// Answers for an element that a `ResourceCollection` does not have.
extension MissingElement: MissingResource {
  public var problem: ProblemDetails {
    let code = "unknown-" + noun.string.split(separator: " ").joined(separator: "-")
    return .missing(code: code, "there is no \(noun) of this id")
  }
}

extension ProblemDetails {
  /// Creates the reply to a request that a store refuses: 404 for a missing element, 409 for an id in use
  /// and a full store, 412 for another version, 422 with a pointer for a malformed document.
  public init(_ error: StoreError<some MissingResource>) {
    switch error {
    case .missing(let resource):
      self = resource.problem
    case .duplicateID(let id):
      self.init(
        status: .conflict, code: "duplicate-id", detail: "the id \(id) is in use", pointer: "/id")
    case .changedMeanwhile:
      self = .preconditionFailed("the resource is not the one in If-Match")
    case .malformed(let error):
      self.init(error)
    case .reusedKey:
      self = .reusedKey
    case .full:
      self.init(
        status: .conflict, code: "store-full", detail: "the store holds as many as it takes")
    }
  }

  /// Creates the 404 problem for an element that the path names and the store does not have.
  ///
  /// - Parameters:
  ///   - detail: A sentence for people.
  ///   - code: The stable code for programs, such as `unknown-note`.
  public static func missing(code: String, _ detail: String) -> ProblemDetails {
    ProblemDetails(status: .notFound, code: code, detail: detail)
  }
}
