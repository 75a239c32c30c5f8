import Foundation
import Glibc
import TestSupport
import Testing

@Suite("viewdelta serve that cannot start")
struct StartFailureTests {
  @Test(
    "says in one line which file is wrong, where and why, and ends with 65",
    arguments: [
      ("", "the whole document"), (#"{"users":[],"users":[]}"#, "/users"),
      (#"{"albums":[{"id":1},{"id":"1"}]}"#, "/albums/1/id: the id 1 is used twice"),
      (
        #"{"users":[{"id":1,"name":"A","image":"ada.png"}],"posts":[]}"#,
        "/users/0/image: expected an http or https URL, or a path of this server"
      ),
      (
        #"{"listeners":[{"id":1,"name":"A","podcasts":[{"id":1,"feedURL":"/feed.xml"}]}]}"#,
        "/listeners/0/podcasts/0/feedURL: expected an http or https URL\n"
      ),
    ])
  func malformedData(text: String, reason: String) async throws {
    try await SocketThread.run {
      let file = try DataFile(Array(text.utf8))
      let result = try ServeProcess.run(["serve", "--port", "0", "--data", file.path])
      #expect(result.code == 65)
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("viewdelta: --data \(file.path): "))
      #expect(result.errors.contains(reason), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("says how many open files it needs, and ends with 69")
  func tooFewOpenFiles() async throws {
    try await SocketThread.run {
      let result = try ServeProcess.run(
        ["serve", "--port", "0", "--threads", "1"], shell: "ulimit -n 34")
      #expect(result.code == 69 && result.output.isEmpty)
      #expect(
        result.errors
          == "viewdelta: the limit of open files is 34, but the server needs 35 (ulimit -n)\n")
    }
  }

  @Test("says how many threads it needs, and ends with 69")
  func tooFewThreads() async throws {
    try await SocketThread.run {
      // There is no limit for root, and one for all processes of another user outside of a namespace.
      let result = try ServeProcess.run(
        ["serve", "--port", "0", "--threads", "1"],
        shell: """
          if [ "$(id -u)" = 0 ]; then
            set -- --ambient-caps=+dac_read_search prlimit --nproc=6 "$0" "$@"
            exec setpriv --reuid=12345 --clear-groups --inh-caps=+dac_read_search "$@"
          fi
          exec unshare --map-root-user prlimit --nproc=6 "$0" "$@"
          """)
      #expect(result.code == 69 && result.output.isEmpty)
      #expect(
        result.errors.wholeMatch(
          of: /viewdelta: the process gets only [0-5] of 9 threads, which it needs at least: .*\n/)
          != nil, "\(result.errors)")
    }
  }

  @Test("does not print its help where its command cannot be read")
  func unreadableCommand() async throws {
    try await SocketThread.run {
      for _ in 1...5 {
        let result = try ServeProcess.run(
          ["serve", "--port", "0"],
          shell: """
            exec unshare --map-root-user --mount sh -c 'mount -t tmpfs none /proc; exec "$0" "$@"' "$0" "$@"
            """)
        // Without /proc Dispatch may end the process before it says anything.
        #expect(result.code == 69 || result.code == SIGILL, "\(result)")
        #expect(!result.output.contains("USAGE"))
        if result.code == 69 { #expect(result.errors.contains(": /proc is not mounted")) }
      }
    }
  }

  @Test(
    "says in one line which file cannot be read, and ends with 66",
    arguments: [
      ("/nowhere/users.json", "the file does not exist"), ("/", "it is a directory"),
    ])
  func unreadableData(path: String, reason: String) async throws {
    try await SocketThread.run {
      try ServeProcess.expectRefusal(
        ["serve", "--port", "0", "--data", path], 66, "--data \(path): \(reason)")
    }
  }

  @Test("says in one line why it cannot listen, before it opens the journal")
  func unavailable() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let server = try ServeProcess()
      let port = "\(server.port)"
      for (options, reason) in [
        (["--port", port], "--port: \(port) on 127.0.0.1 is already in use"),
        (
          ["--port", "0", "--host", "192.0.2.1"],
          "--host: 192.0.2.1 is not an address of this machine"
        ),
      ] {
        let arguments = ["serve", "--journal", place.file] + options
        try ServeProcess.expectRefusal(arguments, 69, reason)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    }
  }

  @Test(
    "names the option that is malformed and ends with 64",
    arguments: [
      ["--port", "70000"], ["--port", "x"], ["--refresh", "sometimes"], ["--latency", "fast"],
      ["--latency", "-1s"], ["--latency", "1e3s"], ["--latency", "2h"],
      ["--latency", "61m"], ["--load-timeout", "3601s"], ["--load-timeout", "0"],
      ["--load-timeout", "0s"],
      ["--log-level", "loud"], ["--nonsense"], ["--language", "fr"],
      ["--host-name", "views.example:80"], ["--host-name", ""], ["--host-name", "*.example.com"],
      ["--allow-origin", "https://a.b/"], ["--allow-origin", "*"],
      ["--image-host", "http://a.b"], ["--image-host", "a.b;script-src"],
      ["--image-host", "[::1]"],
      ["--journal", ""], ["--journal-keep", "7"], ["--journal-keep", "3651d"],
      ["--journal-limit", "0"],
      ["--host", "example.com"], ["--host", ""], ["--host", "127.0.0.1:80"],
      ["--data", ""], ["--public", ""],
      ["--journal", "redis://"], ["--journal", "redis://h"], ["--journal", "redis://h:0/x"],
      ["--feed-host", "a.b/"], ["--feed-host", "a.b:0"], ["--feed-host", ""],
    ])
  func badOption(arguments: [String]) async throws {
    try await SocketThread.run {
      let result = try ServeProcess.run(["serve", "--port", "0"] + arguments)
      #expect(result.code == 64)
      #expect(result.errors.contains(arguments[0]))
    }
  }

  @Test("says in one line which option does not fit the rest, and ends with 64")
  func unfit() async throws {
    try await SocketThread.run {
      for (options, reason) in [
        (["--journal-keep", "7d"], "--journal-keep needs a journal"),
        (["--journal-limit", "5"], "--journal-limit needs a journal"),
        (["--take-over"], "--take-over needs a journal that servers share"),
        (
          ["--latency", "likes=3s"],
          """
          --latency: no screen has a source 'likes'; the sources are activity, children, podcasts, posts, profile, registry, \
          submission
          """
        ),
      ] {
        try ServeProcess.expectRefusal(["serve", "--port", "0"] + options, 64, reason)
      }
    }
  }

  @Test(
    "ends with its exit code also if its reason cannot be written",
    arguments: ["exec 2> /dev/full", "exec 2>&-", "exec 2>&- 1>&-"])
  func noStandardError(shell: String) async throws {
    try await SocketThread.run {
      for (arguments, code) in [
        (["serve", "--port", "0", "--data", "/nowhere/users.json"], 66),
        (["serve", "--nonsense"], 64),
        (["backup", "--journal", "/nowhere/a", "--to", "/nowhere/b"], 69),
      ] as [([String], Int32)] {
        let result = try ServeProcess.run(arguments, shell: shell)
        #expect(result.code == code, "\(arguments)")
      }
    }
  }

  @Test("ends although nobody reads its reason and the pipe is full")
  func fullStandardError() async throws {
    try await SocketThread.run {
      let result = try ServeProcess.run(
        ["serve", "--port", "0", "--data", "/nowhere/users.json"],
        shell: "\(ServeProcess.fillingPipe) >&2")
      #expect(result.code == 66)
    }
  }
}
