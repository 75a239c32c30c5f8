import CanonicalJSON
import TestSupport
import Testing

@Suite("The log of viewdelta serve")
struct LogTests {
  @Test("has a line for each load that fails, with its source, its key and the reason")
  func failures() async throws {
    try await SocketThread.run {
      let server = try ServeProcess(["--latency", "1ms", "--faults"])
      let client = try server.client()
      for (source, viewModel, command) in [
        ("posts", "profile/4", "loadPosts"), ("podcasts", "podcasts/1", "load"),
        ("activity", "form/1", "loadActivity"),
      ] {
        let key = viewModel.split(separator: "/")[1]
        try client.send("PUT", "/v1/faults/\(source)/\(key)", ["then": "fail"])
        try client.send(
          "POST", "/v1/view-models/\(viewModel)/commands", ["type": .string(command)])
        let line = try server.logLine()
        #expect(line.contains(" notice "))
        for word in [
          "a load failed", "source=\(source)", "key=\(viewModel)", "code=unavailable",
          "reason=",
        ] {
          #expect(line.contains(word), "\(line)")
        }
      }
    }
  }

  @Test("begins with what of a data file is ignored, in one line")
  func unknownMembers() async throws {
    try await SocketThread.run {
      let data = #"""
        {"users":[{"id":1,"name":"A","phone":"1"},{"id":2,"name":"B","username":"b"}],
        "posts":[],"albums":[1],"b\nc":1}
        """#
      let server = try ServeProcess(data: DataFile(Array(data.utf8)))
      let line = try server.logLine()
      #expect(line.contains(" warning "))
      #expect(
        line.contains("the data file has members that are ignored"), "\(line)")
      #expect(line.contains("/albums, /b c, /users/0/phone, /users/1/name"), "\(line)")
    }
  }

  @Test("says why the files of a page are not joined")
  func unjoined() async throws {
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      try directory.write(#"<script type="module" src="a.js"></script>"#, to: "index.html")
      try directory.write("var a;", to: "a.js")
      let line = try ServeProcess(["--public", directory.path]).logLine()
      #expect(line.contains(" notice ") && line.contains("the page's files are not joined"))
      #expect(line.contains("a.js: line 1 has var"), "\(line)")
    }
  }
}
