import ArgumentParser
import Foundation
import ViewDelta

/// The command `viewdelta openapi`, which prints the OpenAPI document.
struct PrintOpenAPI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openapi",
    abstract: "Print the OpenAPI document of the server.",
    discussion: """
      Prints what GET /openapi.json answers, without starting a server, for tools such as generators \
      of clients.

      EXAMPLE:
        viewdelta openapi > openapi.json
      """)

  func run() throws {
    let environment = ScreenEnvironment(scheduler: ClockScheduler())
    let application = try Application(ApplicationConfiguration(environment: environment)) {
      Program.features()
    }
    try FileHandle.standardOutput.write(
      contentsOf: Data(application.openAPI + [UInt8(ascii: "\n")]))
  }
}
