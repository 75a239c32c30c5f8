import CanonicalJSON
import Glibc
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
          "a load failed", "source=\(source)", "viewModel=\(viewModel)", "code=unavailable",
          "reason=",
        ] {
          #expect(line.contains(word), "\(line)")
        }
      }
    }
  }

  @Test("has at most 100 lines for loads that fail in a minute, so that no client fills the disk")
  func manyFailures() async throws {
    try await SocketThread.run {
      let podcast = #"{"id":1,"feedURL":"http://127.0.0.1:9/feed"}"#
      let data = #"{"listeners":[{"id":1,"name":"A","podcasts":[\#(podcast)]}]}"#
      let server = try ServeProcess(["--latency", "0s"], data: DataFile(Array(data.utf8)))
      let client = try server.client()
      let viewModel = "/v1/view-models/podcasts/1"
      for _ in 1...110 {
        try client.send("POST", "\(viewModel)/commands", ["type": "load"])
        _ = try client.settled(viewModel)
      }
      server.signal(SIGTERM)
      #expect(try server.exit().code == 0)
      for _ in 1...100 { #expect(try server.logLine().contains("a load failed")) }
      let line = try server.logLine()
      #expect(line.contains("left out until a minute has passed"), "\(line)")
      #expect(try server.logLine().contains("shutting down"))
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
