import CanonicalJSON
import Foundation
import TestSupport
import Testing

@Suite("The version of viewdelta")
struct VersionTests {
  @Test(
    "is one, whoever is asked: the program, the OpenAPI document (served and printed), the changelog"
  )
  func version() async throws {
    let changelog = try String(
      contentsOf: ReadmeTests.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let released = changelog.matches(of: /(?m)^## (\d+\.\d+\.\d+)$/)
    let version = String(try #require(released.first).output.1)

    try await SocketThread.run {
      for arguments in [["--version"], ["serve", "--version"]] {
        let result = try ServeProcess.run(arguments)
        #expect(result.code == 0 && result.output == version + "\n", "\(arguments)")
      }
      let server = try ServeProcess()
      let document = try server.client().json("/openapi.json")
      #expect(try document.member("info").member("version").string().string == version)
      let printed = try Program.run(ServeProcess.binary.path, ["openapi"])
      #expect(try JSONValue(parsing: printed) == document.value)
    }
  }
}
