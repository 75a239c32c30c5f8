import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

extension MissingElement {
  /// The 404 problem.
  public var problem: ProblemDetails {
    ProblemDetails(status: .notFound, code: code.string, detail: detail.string)
  }
}

extension ProblemDetails {
  /// Creates the problem for a request that a store refuses: 404 for a missing element, 409 for an id in use
  /// or a full store, 412 for a version that the condition excludes, 422 for a malformed document, with a pointer, or
  /// an `Idempotency-Key` of another request, and 503 if the journal cannot record or confirm the write.
  public init(_ error: StoreError) {
    switch error {
    case .missing(let resource):
      self = resource.problem
    case .duplicateID(let id):
      self.init(
        status: .conflict, code: "duplicate-id", detail: "the id \(id) is in use", pointer: "/id")
    case .changedMeanwhile:
      self = .preconditionFailed("If-Match or If-None-Match excludes the current version")
    case .malformed(let error):
      self.init(error)
    case .reusedKey:
      self = .reusedKey
    case .full:
      self.init(
        status: .conflict, code: "store-full", detail: "the store is full")
    case .notRecorded:
      self = .notRecorded
    case .unconfirmed:
      self = .unconfirmed
    }
  }
}
