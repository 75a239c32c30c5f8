import Foundation
import Glibc
import TestSupport
import Testing

@Suite("viewdelta serve --public")
struct PublicFilesServeTests {
  @Test("serves the files of the directory, and of no other, to whatever a client asks for")
  func serves() async throws {
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      try directory.write("secret", to: "secret.txt")
      try directory.write("page", to: "Public/index.html")
      try directory.write("unreadable", to: "Public/unreadable.txt")
      try directory.write("inner", to: "Public/inner/file.txt")
      #expect(chmod(directory.path(of: "Public/unreadable.txt"), 0) == 0)
      #expect(symlink("../secret.txt", directory.path(of: "Public/link.txt")) == 0)
      #expect(mkfifo(directory.path(of: "Public/pipe"), 0o644) == 0)
      // Not even root reads the unreadable file without these two capabilities.
      let arguments = ["--public", directory.path(of: "Public")]
      let server = try ServeProcess(arguments, shell: ServeProcess.withoutPowerOverFiles)
      let client = try server.client()
      #expect(try client.get("/").body == Array("page".utf8))
      #expect(try client.get("/inner/file.txt").body == Array("inner".utf8))
      for target in [
        "/unreadable.txt", "/link.txt", "/pipe", "/inner", "/inner/", "/../secret.txt",
        "/%2e%2e/secret.txt", "/%2e%2e%2fsecret.txt", "/inner/%2e%2e/index.html",
        "/inner%2ffile.txt", "//secret.txt",
      ] {
        let reply = try client.get(target)
        #expect(reply.status == 404, "\(target)")
        #expect(reply["content-type"] == "application/problem+json")
      }
      for target in ["/index.html%00", "/%00", "/%zz", "/%c0%ae"] {
        #expect(try client.get(target).status == 400, "\(target)")
      }
      let head = try client.request("HEAD", "/index.html")
      #expect(head.status == 200)
      #expect(head["content-length"] == "4")
      #expect(head["x-content-type-options"] == "nosniff")
      #expect(head["cross-origin-resource-policy"] == "same-origin")
      let tag = try #require(head["etag"])
      #expect(try client.get("/", fields: ["If-None-Match: \(tag)"]).status == 304)
      #expect(try client.request("POST", "/").status == 405)
    }
  }

  @Test("takes the directory Public where it is started, if there is one, and else has no page")
  func standard() async throws {
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      let shell = "cd '\(directory.path)'"
      let without = try ServeProcess(shell: shell)
      #expect(try without.client().get("/").status == 404)
      try directory.write("page", to: "Public/index.html")
      let with = try ServeProcess(shell: shell)
      #expect(
        with.announcement.first
          == "ViewDelta listens on http://127.0.0.1:\(with.port). Open it in a browser, or try:")
      #expect(try with.client().get("/").body == Array("page".utf8))
    }
  }

  @Test("says in one line what is wrong with the directory, and does not start")
  func refusal() async throws {
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      try directory.write("mine", to: "v1/users")
      try directory.write("file", to: "file")
      for (path, code, reason) in [
        (directory.path(of: "nothing"), 66, "the directory does not exist"),
        (directory.path(of: "file"), 66, "it is not a directory"),
        (directory.path, 65, "v1: this name is reserved for the API"),
      ] as [(String, Int32, String)] {
        try ServeProcess.expectRefusal(
          ["serve", "--port", "0", "--public", path], code, "--public \(path): \(reason)")
      }
    }
  }
}
