import HTTPTypes
import MicroHTTP
import Screens
import ViewState

/// The entity tags of the store's resources: the number of the write that made a resource as it
/// is, bound to this run, so that a tag of another run matches nothing.
struct ResourceTags: Sendable {
  private let epoch: RevisionEpoch

  init(epoch: RevisionEpoch) {
    self.epoch = epoch
  }

  func tag(of version: Int) -> EntityTag { EntityTag("\(epoch)-\(version)") }

  /// A resource with its tag.
  func reply(
    _ resource: Versioned<some StoredResource>, status: HTTPResponse.Status = .ok,
    location: String? = nil
  ) -> Response {
    var fields: HTTPFields = [
      .eTag: tag(of: resource.version).text, .cacheControl: Caching.revalidate.rawValue,
    ]
    fields[.location] = location
    return .json(resource.resource.json, status: status, fields: fields)
  }
}
