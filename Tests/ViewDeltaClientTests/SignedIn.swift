import ViewDeltaClient

struct SignedIn: HTTPTransport {
  let token: String

  func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse) {
    var request = request
    request.headerFields[.authorization] = "Bearer \(token)"
    return try await URLSession.shared.reply(to: request, body: body)
  }
}
