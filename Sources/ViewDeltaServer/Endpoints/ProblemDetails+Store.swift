import HTTPTypes
import MicroHTTP
import Screens

extension ProblemDetails {
  /// What a client is told of something that a store does not do.
  init(_ error: StoreError<some MissingResource>) {
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
    case .full:
      self.init(
        status: .conflict, code: "store-full", detail: "the store holds as many as it takes")
    }
  }

  /// Something that the path names is not there.
  static func missing(code: String, _ detail: String) -> ProblemDetails {
    ProblemDetails(status: .notFound, code: code, detail: detail)
  }
}
