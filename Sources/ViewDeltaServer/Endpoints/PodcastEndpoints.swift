import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens

/// The podcasts that a listener follows, as their feeds have them.
struct PodcastEndpoints: Sendable {
  let store: PodcastStore
  let context: EndpointContext

  /// A podcast of a listener: its id alone does not say which one it is.
  fileprivate struct Followed: Sendable {
    let listener: ResourceID
    let podcast: FeedItem
  }

  func register(in router: inout Router) {
    let podcast = ResourceEndpoints<Followed, PodcastStoreError>(
      tags: context.tags,
      read: { (request) throws(PodcastStoreError) in
        let podcast = try store.podcast(request.podcastID, of: request.listenerID)
        return podcast.followed(by: request.listenerID)
      },
      parse: { (body, current) throws(JSONShapeError) in
        let podcast = try FeedItem(body, assigned: current.podcast.id)
        guard podcast.id == current.podcast.id else { throw body.differentID }
        return Followed(listener: current.listener, podcast: podcast)
      },
      replace: { (followed, version) async throws(PodcastStoreError) in
        try await store.replace(followed.podcast, of: followed.listener, expecting: version)
          .followed(by: followed.listener)
      },
      delete: { (request, version) async throws(PodcastStoreError) in
        try await store.deletePodcast(
          request.podcastID, of: request.listenerID, expecting: version)
      },
      json: \.podcast.json)

    let path = "/v1/listeners/{id}/podcasts"
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      do throws(PodcastStoreError) {
        return .json(.array(try store.podcasts(of: request.listenerID).map(\.json)))
      } catch {
        throw error.problem
      }
    }
    router.on(.post, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try await context.idempotency.respond(to: request) {
        (request) throws(ProblemDetails) in
        let body = try request.json()
        do {
          let owner = try store.listener(request.listenerID).resource.id
          let created = try await store.createPodcast(of: owner) {
            try FeedItem(body, assigned: $0)
          }
          let location =
            "/v1/listeners/\(owner.pathSegment)/podcasts/\(created.resource.id.pathSegment)"
          return podcast.reply(
            created.followed(by: owner), status: .created, location: location)
        } catch {
          throw .creating(error)
        }
      }
    }
    podcast.register(in: &router, path: path + "/{podcastID}")
  }
}

extension Versioned where Resource == FeedItem {
  fileprivate func followed(by listener: ResourceID) -> Versioned<PodcastEndpoints.Followed> {
    Versioned<PodcastEndpoints.Followed>(
      resource: PodcastEndpoints.Followed(listener: listener, podcast: resource), version: version)
  }
}

extension Request {
  /// The podcast that the path names.
  fileprivate var podcastID: ResourceID { ResourceID(named: parameters["podcastID"] ?? "") }
}
