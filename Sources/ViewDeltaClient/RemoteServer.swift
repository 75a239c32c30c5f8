import CanonicalJSON
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import Snapshots

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server, and what the loops over its view models and the senders of commands share.
struct RemoteServer: Sendable {
  /// The address of the server, or of the folder in which a proxy has it, with a slash at the end.
  private let address: String
  private let transport: any HTTPTransport
  let pacing: Pacing
  /// The windows to which an app has scrolled, by the names of the view models.
  let windows = SharedValue<[Text: RowWindow]>([:])
  /// The number of commands that the server has answered.
  let answerCount = SharedValue(0)
  /// How often a loop got an answer at its start or after a failure.
  let recoveryCount = SharedValue(0)

  init(at address: URL, by transport: any HTTPTransport, _ pacing: Pacing = .system) {
    let base = address.absoluteString
    self.address = base.hasSuffix("/") ? base : base + "/"
    (self.transport, self.pacing) = (transport, pacing)
  }

  struct Reply {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]

    /// Returns the body.
    ///
    /// - Throws: ``ConnectionError/unexpected(_:)`` if it is not JSON.
    func json() throws(ConnectionError) -> JSONReader {
      do {
        // The server shows what clients send up to 64 levels deep, with levels of its own around it.
        return JSONReader(try JSONValue(parsing: body, limits: .greatest))
      } catch {
        throw .unexpected(Text("\(error)"))
      }
    }
  }

  /// Sends a request.
  ///
  /// - Parameter path: The path below the address, percent-encoded, and the query.
  /// - Throws: ``ConnectionError``, also if the status is 400 or more.
  func ask(
    _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:], _ body: [UInt8] = []
  ) async throws(ConnectionError) -> Reply {
    // A request cannot be made of an address such as `views.example.com`, which a user may have entered.
    guard let url = URL(string: address + path), url.scheme != nil, url.host() != nil else {
      // Where `URLError` has no texts of its own, as on Linux, it would tell nothing but a number.
      let reason = "\(address) is not the address of a server, such as https://example.com/"
      throw .unreachable(URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: reason]))
    }
    var request = HTTPRequest(method: method, url: url, headerFields: fields)
    request.headerFields[.accept] = "application/json"
    let (data, response): (Data, HTTPResponse)
    do {
      (data, response) = try await transport.reply(to: request, body: Data(body))
    } catch {
      throw .unreachable(error)
    }
    let bytes = [UInt8](data)
    if response.status.code >= 400 { throw .refused(ServerProblem(response, body: bytes)) }
    return Reply(status: response.status.code, fields: response.headerFields, body: bytes)
  }
}
