import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewDeltaServer

/// Clients that wait.
extension Backend {
  /// Sends a request that may wait.
  func open(
    _ method: HTTPRequest.Method = .get, _ target: String, _ fields: HTTPFields = [:],
    body: JSONValue? = nil, from address: String = "",
    onAnswer: @escaping @Sendable () -> Void = {}
  ) -> ParkedRequest {
    var fields = fields
    if body != nil, fields[.contentType] == nil { fields[.contentType] = "application/json" }
    let request = Request(
      method: method, target: target, fields: fields, body: body?.canonicalBytes() ?? [])
    return ParkedRequest(application.router, request, from: address, onAnswer: onAnswer)
  }

  /// Polls the profile of user 1.
  func poll(
    _ query: String, _ fields: HTTPFields = [:], from address: String = "",
    onAnswer: @escaping @Sendable () -> Void = {}
  ) -> ParkedRequest {
    open(.get, Self.viewModel + "/diff?" + query, fields, from: address, onAnswer: onAnswer)
  }

  /// Polls many view models.
  func sync(_ body: JSONValue, _ fields: HTTPFields = [:]) -> ParkedRequest {
    open(.post, "/v1/sync", fields, body: body)
  }

  /// Opens the event stream of a view model.
  func events(
    _ query: String = "", _ fields: HTTPFields = [:], of viewModel: String = Backend.viewModel
  ) -> StreamReader? {
    StreamReader(
      application.router,
      Request(method: .get, target: "\(viewModel)/events?\(query)", fields: fields))
  }

  /// Changes the post that the view model shows, once it is loaded.
  func retitle(_ title: String) async {
    await call(.patch, "/v1/users/1/posts/1", body: ["title": .string(title)])
  }

  var waitingCount: Int { application.waitingCount }

  /// A backend whose profile of user 1 shows everything, with its revision.
  static func loaded(
    configure: (inout DemoApplication) -> Void = { _ in }
  ) async throws -> (Backend, revision: String) {
    let backend = try Backend(configure: configure)
    await backend.load()
    return (backend, try await backend.revision)
  }
}
