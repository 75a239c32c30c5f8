import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens

/// The users of the profile store.
struct UserEndpoints: Sendable {
  let store: ProfileStore
  let tags: ResourceTags
  let idempotency: IdempotencyCache

  func register(in router: inout Router) {
    let user = ResourceEndpoints<User, ProfileStoreError>(
      tags: tags,
      read: { (request) throws(ProfileStoreError) in try store.user(request.userID) },
      parse: { (body, current) throws(JSONShapeError) in
        let user = try User(body, assigned: current.id)
        guard user.id == current.id else { throw body.differentID }
        return user
      },
      replace: { (user, version) async throws(ProfileStoreError) in
        try await store.replace(user, expecting: version)
      },
      delete: { (request, version) async throws(ProfileStoreError) in
        try await store.deleteUser(request.userID, expecting: version)
      },
      json: \.json, aliases: ["name": "username", "image": "avatarURL"])

    let path = "/v1/users"
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return .json(.array(store.users.map(\.json)))
    }
    router.on(.post, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try await idempotency.respond(to: request) { (request) throws(ProblemDetails) in
        let body = try request.json()
        do {
          let created = try await store.createUser { try User(body, assigned: $0) }
          let location = "\(path)/\(created.resource.id.pathSegment)"
          return user.reply(created, status: .created, location: location)
        } catch {
          throw .creating(error)
        }
      }
    }
    user.register(in: &router, path: path + "/{id}")
  }
}

extension Request {
  /// The user that the path names.
  var userID: ResourceID { ResourceID(named: parameters["id"] ?? "") }
}

extension JSONReader {
  /// The fault of a body that is another resource than the path names.
  var differentID: JSONShapeError {
    JSONShapeError(pointer: pointer.appending("id"), message: "expected the id in the path")
  }
}

extension ResourceID {
  /// The id as one segment of a path (RFC 3986, section 3.3).
  var pathSegment: String {
    var segment = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        segment.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        segment += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
      }
    }
    return segment
  }
}
