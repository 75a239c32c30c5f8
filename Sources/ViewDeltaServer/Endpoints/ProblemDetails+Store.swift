import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens

extension ProblemDetails {
  /// What a client is told of a write that the store refuses.
  init(_ error: ProfileStoreError) {
    switch error {
    case .unknownUser:
      self.init(status: .notFound, code: "unknown-user", detail: "there is no user of this id")
    case .unknownPost:
      self.init(
        status: .notFound, code: "unknown-post", detail: "the user has no post of this id")
    case .duplicateID(let id):
      self.init(
        status: .conflict, code: "duplicate-id", detail: "the id \(id) is in use", pointer: "/id")
    case .changedMeanwhile:
      self = .preconditionFailed("the resource is not the one in If-Match")
    case .full:
      self.init(
        status: .conflict, code: "store-full", detail: "the store holds as many as it takes")
    }
  }

  /// What a client is told of an error while a resource is created.
  static func creating(_ error: any Error) -> ProblemDetails {
    switch error {
    case let error as JSONShapeError: ProblemDetails(error)
    case let error as any StoreFailure: error.problem
    default: ProblemDetails(status: .internalServerError, code: "internal", detail: nil)
    }
  }
}
