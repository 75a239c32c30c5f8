import Foundation
import Hummingbird
import Logging

/// Serves captured replies from memory with Hummingbird.
///
/// The argument is the manifest that the harness writes. Once it listens, the program prints
/// `listening on PORT`.
@main
struct HummingbirdPeer {
  static func main() async throws {
    let replies = try CapturedReplies(manifest: CommandLine.arguments.dropFirst().first ?? "")
    let router = Router()
    for path in replies.paths {
      router.get(RouterPath(path)) { request, _ in
        replies.reply(
          to: request.uri.path, query: request.uri.query,
          ifNoneMatch: request.headers[.ifNoneMatch])
      }
    }
    var logger = Logger(label: "hummingbird")
    logger.logLevel = .warning
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        print("listening on \(channel.localAddress?.port ?? 0)")
        fflush(nil)
      },
      logger: logger)
    try await application.runService()
  }
}
