import Foundation
import TestSupport
import Testing

@Suite("scripts/serve")
struct ServeScriptTests {
  @Test(
    "prints the program's help, and neither builds nor installs anything for it",
    arguments: ["--help", "-h", "--port 9000 --help"])
  func help(options: String) async throws {
    // The path has what the script needs to print, but neither Swift nor anything that installs.
    let tools = try TemporaryDirectory()
    for tool in ["bash", "cat", "dirname"] {
      try FileManager.default.createSymbolicLink(
        at: tools.url.appending(path: tool), withDestinationURL: URL(filePath: "/usr/bin/\(tool)"))
    }
    let command = "\(ReadmeTests.root.path)/scripts/serve"
    let script = "env -i PATH='\(tools.url.path)' '\(command)' \(options)"
    try await SocketThread.run {
      let program = try ServeProcess.run(["serve", "--help"])
      let printed = try Shell.run(script)
      #expect(printed.code == 0)
      #expect(
        printed.output == program.output,
        "renew it with: .build/debug/viewdelta serve --help > scripts/serve.help")
    }
  }
}
