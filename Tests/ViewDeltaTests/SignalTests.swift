import CanonicalJSON
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A signal")
struct SignalTests {
  private static let viewModel = "/v1/view-models/profile/1"

  @Test("ends the server cleanly, idle connections or not", arguments: [SIGINT, SIGTERM])
  func clean(signal: Int32) async throws {
    try await SocketThread.run {
      let server = try ServeProcess()
      let idle = try server.client()
      #expect(try idle.get("/readyz").status == 200)
      server.signal(signal)
      let end = try server.exit()
      #expect(end.code == 0 && end.reason == .exit)
    }
  }

  @Test("ends the server also where nobody reads its output and the pipe is full")
  func fullOutput() async throws {
    try await SocketThread.run {
      let socket = try BoundSocket()
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [
        "-c", "\(ServeProcess.fillingPipe); exec \"$0\" serve --port \(socket.port)",
        ServeProcess.binary.path,
      ]
      process.standardOutput = output
      try process.run()
      defer { kill(process.processIdentifier, SIGKILL) }
      let end = ContinuousClock.now + patience
      var client: SocketClient?
      while client == nil, ContinuousClock.now < end {
        _ = poll(nil, 0, 5)
        client = try? SocketClient(port: socket.port)
      }
      #expect(try client?.get("/healthz").status == 200)
      process.terminate()
      while process.isRunning, ContinuousClock.now < end { _ = poll(nil, 0, 5) }
      #expect(!process.isRunning)
    }
  }

  @Test(
    "ends a start with a line if it is SIGTERM, and does not if the terminal or a connection is closed"
  )
  func start() async throws {
    try await SocketThread.run {
      for (signal, line, code) in [
        (SIGTERM, "SIGTERM ends the start\n", SIGTERM), (SIGHUP, "viewdelta: the journal: ", 69),
        (SIGPIPE, "viewdelta: the journal: ", 69),
      ] as [(Int32, String, Int32)] {
        var end = try Self.endOfStart(by: signal)
        // A machine may be so slow that Redis is given up before the signal comes.
        for _ in 1...20 where end.code == 69 && code != 69 {
          end = try Self.endOfStart(by: signal)
        }
        #expect(end.text.hasPrefix(line) && end.code == code, "\(end)")
      }
    }
  }

  /// Sends a signal to a server that starts, and returns what it writes and how it ends.
  private static func endOfStart(by signal: Int32) throws -> (text: String, code: Int32) {
    // A Redis that does not answer holds the start.
    let socket = try BoundSocket()
    #expect(listen(socket.descriptor, 1) == 0)
    let (process, errors) = (Process(), Pipe())
    process.executableURL = ServeProcess.binary
    process.arguments = [
      "serve", "--port", "0", "--journal", "redis://127.0.0.1:\(socket.port)/demo",
    ]
    process.standardError = errors
    try process.run()
    let connection = accept(socket.descriptor, nil, nil)
    kill(process.processIdentifier, signal)
    // The end of the connection would end the start, too.
    if signal == SIGTERM { process.waitUntilExit() }
    close(connection)
    close(socket.descriptor)
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: text, as: UTF8.self), process.terminationStatus)
  }

  @Test("ends a start by SIGTERM also in the first process of a container", .enabled(if: isolates))
  func startOfContainer() async throws {
    try await SocketThread.run {
      let socket = try BoundSocket()
      #expect(listen(socket.descriptor, 1) == 0)
      let (process, errors) = (Process(), Pipe())
      process.executableURL = Self.isolated
      process.arguments =
        Self.isolation + [
          ServeProcess.binary.path, "serve", "--port", "0", "--journal",
          "redis://127.0.0.1:\(socket.port)/demo",
        ]
      process.standardError = errors
      try process.run()
      let connection = accept(socket.descriptor, nil, nil)
      let parent = process.processIdentifier
      let children = try String(
        contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
      kill(try #require(Int32(children.filter(\.isNumber))), SIGTERM)
      let text = try errors.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      close(connection)
      close(socket.descriptor)
      #expect(String(decoding: text, as: UTF8.self) == "SIGTERM ends the start\n")
      #expect(process.terminationStatus == 128 + SIGTERM)
    }
  }

  /// Runs a command as the first process of a namespace, for which the kernel has no default actions (pid_namespaces(7)).
  private static let isolated = URL(filePath: "/usr/bin/unshare")
  private static let isolation = [
    "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child",
  ]
  private static let isolates: Bool = {
    guard let process = try? Process.run(isolated, arguments: isolation + ["true"]) else {
      return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test("lets a large reply on its way be read to its end")
  func largeReply() async throws {
    try await SocketThread.run {
      let (server, reader) = try Self.serverWithSlowReader()
      server.signal(SIGTERM)
      try Self.waitUntilRefusing(server)
      let reply = try reader.readReply()
      #expect(reply.body.count > 2_000_000)
      #expect(try server.exit().code == 0)
    }
  }

  @Test("ends what waits and its connections at once, while a large reply is still being read")
  func waiting() async throws {
    try await SocketThread.run {
      let (server, reader) = try Self.serverWithSlowReader()
      let head = try server.client().request("HEAD", Self.viewModel)
      let revision = try #require(head["view-revision"])
      let since = "since=\(revision)"
      let streams = try (0..<5).map { _ in
        try EventConnection(server.client(), "\(Self.viewModel)/events?\(since)")
      }
      for stream in streams { #expect(try stream.next()?.retry == 1_000) }
      let polls = try (0..<5).map { _ in
        let client = try server.client()
        try client.send(
          "GET \(Self.viewModel)/diff?\(since)&wait=55 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client
      }
      // The thread serves in the order of arrival, so they wait once this is answered.
      #expect(try server.client().get("/healthz").status == 200)
      server.signal(SIGTERM)
      for poll in polls {
        let reply = try poll.readReply()
        #expect(reply.status == 204 && reply["view-revision"] == revision)
        #expect(reply["connection"]?.lowercased() == "close")
        #expect(try poll.readToEnd().isEmpty)
      }
      for stream in streams {
        #expect(try stream.next() == nil)
        #expect(try stream.client.readToEnd().isEmpty)
      }
      #expect(server.isRunning)
      #expect(try reader.readReply().status == 200)
      #expect(try server.exit().code == 0)
    }
  }

  @Test("lets a browser's EventSource on a kept connection come back later: it gets no 503")
  func eventSource() async throws {
    try await SocketThread.run {
      let (server, reader) = try Self.serverWithSlowReader()
      let clients = try (0..<2).map { _ in
        let client = try server.client()
        #expect(try client.get("/healthz").status == 200)
        return client
      }
      // Once a request on another connection is served, the exchanges on these are over. One that
      // ended later would end its connection.
      #expect(try server.client().get("/healthz").status == 200)
      server.signal(SIGTERM)
      try Self.waitUntilRefusing(server)
      // It would give up for good after any status but 200.
      try clients[0].send(
        """
        GET \(Self.viewModel)/events HTTP/1.1\r
        Host: localhost\r
        Accept: text/event-stream\r
        \r

        """)
      #expect(try clients[0].readToEnd().isEmpty)
      let refused = try clients[1].get(Self.viewModel)
      #expect(refused.status == 503)
      #expect(refused["connection"]?.lowercased() == "close")
      #expect(try clients[1].readToEnd().isEmpty)
      #expect(server.isRunning)
      #expect(try reader.readReply().status == 200)
      #expect(try server.exit().code == 0)
    }
  }

  @Test("that comes a second time ends it at once")
  func second() async throws {
    try await SocketThread.run {
      let (server, reader) = try Self.serverWithSlowReader()
      server.signal(SIGTERM)
      try Self.waitUntilRefusing(server)
      #expect(server.isRunning)
      server.signal(SIGTERM)
      #expect(try server.exit().code == 128 + SIGTERM)
      reader.close()
    }
  }

  @Test(
    "that means nothing to it ends nothing: SIGHUP, SIGPIPE, or a pause",
    arguments: [
      SIGHUP, SIGPIPE, SIGSTOP,
    ])
  func harmless(signal: Int32) async throws {
    try await SocketThread.run {
      let server = try ServeProcess()
      server.signal(signal)
      server.signal(SIGCONT)
      for _ in 0..<20 {
        let client = try server.client()
        try client.send("GET /v1/view-models HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.reset()
      }
      #expect(try server.client().get("/healthz").status == 200)
    }
  }

  @Test("lets the journal have the state at the end, with which another build begins")
  func state() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      func positions() throws -> String {
        try Shell.run("sqlite3 \(place.file) 'SELECT position FROM checkpoints'").output
      }
      for number in 1...2 {
        let server = try place.serve()
        try server.client().send(
          "POST", "/v1/scoreboards/1/players", ["name": "xxx", "score": .integer(number)])
        server.signal(SIGTERM)
        #expect(try server.exit().code == 0)
        #expect(try positions() == "0\n\(number)\n")
      }
    }
  }

  @Test("ends it although its journal is begun anew meanwhile, for which it would start anew")
  func journalBegunAnew() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let (server, reader) = try Self.serverWithSlowReader(["--journal", redis.journal])
      server.signal(SIGTERM)
      try Self.waitUntilRefusing(server)
      try redis.command("flushall")
      // The server gives the journal back what it has, and knows then that it is another one.
      try awaitTrue("the journal is begun anew") { try redis.command("get demo") != "\n" }
      #expect(try reader.readReply().status == 200)
      #expect(try server.exit().code == 0)
    }
  }

  /// A server with a client that has asked for two megabytes, of which the system takes a tenth, and
  /// reads none of them yet.
  private static func serverWithSlowReader(
    _ options: [String] = []
  ) throws -> (ServeProcess, SocketClient) {
    let posts = (1...32).map { id in
      JSONValue.object([
        "id": .integer(id), "userId": 1, "title": "Long",
        "body": .string(String(repeating: "x", count: 64_000)),
      ])
    }
    let data: JSONValue = ["users": [["id": 1, "name": "A"]], "posts": .array(posts)]
    let server = try ServeProcess(
      ["--latency", "0ms", "--threads", "1"] + options, data: DataFile(data.canonicalBytes()))
    let client = try server.client()
    try client.send("POST", viewModel + "/commands", ["type": "loadPosts"])
    _ = try client.settled(viewModel)
    let reader = try server.client(receiveBuffer: 4_096)
    try reader.send("GET \(viewModel) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try reader.awaitArrival()
    return (server, reader)
  }

  /// New clients are refused as the first thing.
  private static func waitUntilRefusing(_ server: ServeProcess) throws {
    try awaitTrue("new clients are refused") { (try? server.client().get("/healthz")) == nil }
  }
}
