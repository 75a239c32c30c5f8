import ArgumentParser
import ViewDelta

/// The command `viewdelta openapi`, which prints the OpenAPI document.
struct PrintOpenAPI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openapi",
    abstract: "Print the OpenAPI document of the server.",
    discussion: """
      Prints what GET /openapi.json of a server without --data answers, without starting one, for tools such as \
      generators of clients. A server with collections from a data file describes them too.

      EXAMPLE:
        viewdelta openapi > openapi.json
      """)

  func run() throws {
    try Application { Program.features() }.printOpenAPI()
  }
}
