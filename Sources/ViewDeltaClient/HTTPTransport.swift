@_exported public import Foundation
@_exported public import HTTPTypes
import HTTPTypesFoundation

// On Linux `URLSession` is in a module of its own.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif

/// Sends the requests of a ``ViewModelConnection`` or a ``ViewModelGroup``. `URLSession` is such a transport.
///
/// A type of your own adds what your server asks for, such as a header field that identifies the user. This example is
/// a complete file:
///
///     import ViewDeltaClient
///
///     struct SignedIn: HTTPTransport {
///       let token: String
///
///       func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse) {
///         var request = request
///         request.headerFields[.authorization] = "Bearer \(token)"
///         return try await URLSession.shared.reply(to: request, body: body)
///       }
///     }
public protocol HTTPTransport: Sendable {
  /// Sends a request, and returns the whole reply with its status, whatever that is.
  ///
  /// A poll is answered after 20 seconds at the latest. The transport gives up a request whose server is silent for
  /// 25 seconds, because the line may be dead, and one whose task is cancelled.
  ///
  /// - Parameters:
  ///   - request: The request, with an absolute address.
  ///   - body: The body of the request; empty for a request that has none.
  /// - Throws: An error if there is no reply.
  func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse)
}

extension URLSession: HTTPTransport {
  /// Sends a request. The session gives it up after 25 seconds without a byte, also if its configuration allows
  /// more. It must allow more than 20, the time for which a poll waits.
  ///
  /// On Linux the session of Swift 6.3 ends the process if a connection breaks in the head of a reply. Sometimes it also
  /// ends the process, or blocks all its tasks, if a request ends while it is cancelled. A program that must go on uses
  /// another HTTP library as its transport.
  public func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse) {
    guard var urlRequest = URLRequest(httpRequest: request) else { throw URLError(.badURL) }
    urlRequest.timeoutInterval = 25
    let (data, urlResponse) =
      request.method == .get
      ? try await data(for: urlRequest) : try await upload(for: urlRequest, from: body)
    guard let response = (urlResponse as? HTTPURLResponse)?.httpResponse else {
      throw URLError(.badServerResponse)
    }
    return (data, response)
  }
}
