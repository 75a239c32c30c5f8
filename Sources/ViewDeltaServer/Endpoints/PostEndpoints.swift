import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens

/// The posts of a user.
struct PostEndpoints: Sendable {
  let store: ProfileStore
  let tags: ResourceTags
  let idempotency: IdempotencyCache

  func register(in router: inout Router) {
    let post = ResourceEndpoints<Post, ProfileStoreError>(
      tags: tags,
      read: { (request) throws(ProfileStoreError) in
        try store.post(request.postID, of: request.userID)
      },
      parse: { (body, current) throws(JSONShapeError) in
        let post = try Post(body, assigned: current.id, owner: current.userID)
        guard post.id == current.id else { throw body.differentID }
        return post
      },
      replace: { (post, version) async throws(ProfileStoreError) in
        try await store.replace(post, expecting: version)
      },
      delete: { (request, version) async throws(ProfileStoreError) in
        try await store.deletePost(request.postID, of: request.userID, expecting: version)
      },
      json: \.json)

    let path = "/v1/users/{id}/posts"
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      do throws(ProfileStoreError) {
        return .json(.array(try store.posts(of: request.userID).map(\.json)))
      } catch {
        throw ProblemDetails(error)
      }
    }
    router.on(.post, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try await idempotency.respond(to: request) { (request) throws(ProblemDetails) in
        let body = try request.json()
        do {
          let owner = try store.user(request.userID).resource.id
          let created = try await store.createPost {
            try Post(body, assigned: $0, owner: owner)
          }
          let location =
            "/v1/users/\(owner.pathSegment)/posts/\(created.resource.id.pathSegment)"
          return post.reply(created, status: .created, location: location)
        } catch {
          throw .creating(error)
        }
      }
    }
    post.register(in: &router, path: path + "/{postID}")
  }
}

extension Request {
  /// The post that the path names.
  fileprivate var postID: ResourceID { ResourceID(named: parameters["postID"] ?? "") }
}
