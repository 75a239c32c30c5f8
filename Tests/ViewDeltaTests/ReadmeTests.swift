import CanonicalJSON
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
  /// A command as it stands in the README, with what it prints there.
  struct Step: Equatable {
    let command: String
    var output: [String] = []
  }

  static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// The README, or an article of the documentation.
  static func text(_ article: String? = nil) throws -> String {
    let path = article.map { "Sources/ViewDelta/ViewDelta.docc/\($0).md" } ?? "README.md"
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The commands of all blocks that begin with a line, in order.
  static func steps(_ text: String, of block: String = "```console") -> [Step] {
    var steps: [Step] = []
    var isConsole = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isConsole = line == block
      } else if isConsole, line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2))))
      } else if isConsole, !steps.isEmpty {
        steps[steps.count - 1].output.append(String(line))
      }
    }
    return steps
  }

  /// Revisions differ from run to run in their epoch alone, and in when they were made, as inputs do.
  static func comparable(_ output: [String], port: UInt16) -> [String] {
    output.map { line in
      line.replacing(":\(port)", with: ":8080")
        .replacing(/\b[0-9A-Za-z]{8}(?<number>\.[0-9]+)\b/) { "EPOCH\($0.output.number)" }
        .replacing(/"at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/, with: #""at":"DATE""#)
        .replacing(/^(?<position>\d+)  \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) {
          "\($0.output.position)  DATE"
        }
    }
  }

  @Test(
    "shows sessions that go exactly as they say", .timeLimit(.minutes(10)),
    arguments: [nil, "TryTheDemo", "RunAServer"])
  func session(article: String?) async throws {
    try await SocketThread.run {
      let steps = Self.steps(try Self.text(article))
      let words = try #require(steps.first).command.split(separator: " ").map(String.init)
      try #require(words.first == "scripts/serve")
      let page = ["--public", Self.root.appending(path: "Public").path]
      let server = try ServeProcess(page + words.dropFirst())
      let announcement = Self.comparable(server.announcement, port: server.port)
      #expect(steps[0].output.isEmpty || steps[0].output == announcement)
      try Self.check(steps.dropFirst(), of: server)
    }
  }

  @Test("shows a program and how it follows a file")
  func program() async throws {
    let program = try String(
      contentsOf: Self.root.appending(path: "Tests/Shopping/main.swift"), encoding: .utf8)
    #expect(try Self.text().contains("```swift\n\(program)```"))
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      let enter = "cd '\(directory.path)'"
      let steps = Self.steps(try Self.text(), of: "```console shopping")
      try #require(steps.first?.command == "swift run Shopping")
      let binary = ServeProcess.binary.deletingLastPathComponent().appending(path: "Shopping")
      let server = try ServeProcess(shell: enter, binary: binary, command: [])
      try Self.check(steps.dropFirst(), of: server, after: enter + "\n")
    }
  }

  @Test("shows a package that the package manager reads, with that program alone")
  func package() throws {
    let blocks = try Self.text().components(separatedBy: "```swift\n").dropFirst()
    let manifest = try #require(blocks.first { $0.hasPrefix("// swift-tools-version:") })
    let directory = try TemporaryDirectory()
    try directory.write(manifest.components(separatedBy: "```")[0], to: "Package.swift")
    // With the build directory of the running tests it would wait for their end.
    let dump = "env -u SWIFTPM_BUILD_DIR swift package dump-package"
    let result = try Shell.run("cd '\(directory.path)' && \(dump) 2> /dev/null")
    try #require(result.code == 0, "\(result.output)")
    let package = try JSONReader(JSONValue(parsing: Array(result.output.utf8)))
    #expect(try package.member("name").string() == "Shopping")
    let target = try package.member("targets").elements()[0]
    #expect(try target.member("type").string() == "executable")
    let product = try target.member("dependencies").elements()[0].member("product").elements()
    #expect(try product[0].string() == "ViewDelta" && product[1].string() == "ViewDelta")
  }

  @Test("shows a crash after which the server goes on where it ended")
  func restart() async throws {
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      let file = directory.url.appending(path: "demo.journal").path
      var server: ServeProcess?
      var variables = """
        cd '\(directory.url.path)'
        viewdelta() { '\(ServeProcess.binary.path)' "$@"; }

        """
      for step in Self.steps(try Self.text("KeepChanges"), of: "```console restart") {
        if step.command == "scripts/serve --journal demo.journal" {
          server = try ServeProcess(["--journal", file])
          continue
        }
        let running = try #require(server)
        if step.command == "kill -9 $(pidof viewdelta)" {
          running.signal(SIGKILL)
          _ = try running.exit()
          continue
        }
        variables += try Self.check(step, after: variables, ports: ["8080": running.port])
      }
      #expect(server != nil)
    }
  }

  @Test("shows servers that answer as one")
  func servers() async throws {
    try await SocketThread.run {
      var redis: RedisServer?
      var servers: [String: ServeProcess] = [:]
      var variables = ""
      for step in Self.steps(try Self.text("RunManyServers"), of: "```console servers") {
        let words = step.command.split(separator: " ").map(String.init)
        if words[0] == "redis-server" {
          #expect(words.dropFirst() == RedisServer.durability[...])
          redis = try RedisServer()
        } else if words[0] == "scripts/serve" {
          let journal = try #require(redis).journal
          #expect(words[3...] == ["--journal", "redis://127.0.0.1:6379/demo"])
          servers[words[2]] = try ServeProcess(["--journal", journal, "--latency", "60s"])
        } else {
          variables += try Self.check(step, after: variables, ports: servers.mapValues(\.port))
        }
      }
      #expect(servers.count == 2)
    }
  }

  /// Runs commands and checks what they print. A comment waits until the view models in variables have loaded.
  private static func check(
    _ steps: some Sequence<Step>, of server: ServeProcess, after start: String = ""
  ) throws {
    let client = try server.client()
    var variables = start
    for step in steps {
      if step.command.hasPrefix("# ") {
        for match in variables.matches(of: /\/v1\/view-models\/[^\/']+\/[^\/']+(?=')/) {
          _ = try client.settled(String(match.output))
        }
      } else {
        variables += try check(step, after: variables, ports: ["8080": server.port])
      }
    }
  }

  /// Runs a command and checks what it prints.
  ///
  /// - Parameters:
  ///   - step: The command.
  ///   - variables: The lines of a shell that set the variables before.
  ///   - ports: The ports of servers by those on the page.
  /// - Returns: The line that sets the variable to the value that the command gave it, if it sets one.
  private static func check(
    _ step: Step, after variables: String, ports: [String: UInt16]
  ) throws -> String {
    let name = step.command.prefixMatch(of: /(?<variable>[A-Z]+)=/)?.output.variable
    let tail = name.map { "; printf '\\1%s' \"$\($0)\"" } ?? ""
    func translated(_ text: some StringProtocol, back: Bool = false) -> String {
      ports.reduce(String(text)) { text, port in
        back
          ? text.replacing(":\(port.value)", with: ":\(port.key)")
          : text.replacing(":\(port.key)", with: ":\(port.value)")
      }
    }
    let result = try Shell.run(translated("set -eu\n" + variables + step.command + tail))
    #expect(result.code == 0, "\(step.command)")
    let parts = result.output.split(separator: "\u{1}", omittingEmptySubsequences: false)
    let output = translated(parts[0], back: true).split(separator: "\n").map(String.init)
    let expected = step.output.filter { !$0.isEmpty }
    #expect(
      Self.comparable(output, port: 8080) == Self.comparable(expected, port: 8080),
      "\(step.command)")
    guard let name, parts.count == 2 else { return "" }
    return "\(name)='\(translated(parts[1], back: true).replacing("'", with: "'\\''"))'\n"
  }

  @Test("names only scripts, targets and options that there are")
  func names() async throws {
    let articles = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Sources/ViewDelta/ViewDelta.docc").path
    ).filter { $0.hasSuffix(".md") }.map { try Self.text(String($0.dropLast(3))) }
    let readme = try Self.text()
    let text = ([readme] + articles).joined(separator: "\n")
    for match in text.matches(of: /scripts\/[a-z-]+/) {
      #expect(
        FileManager.default.isExecutableFile(
          atPath: Self.root.appending(path: String(match.output)).path))
    }
    let targets = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Sources").path)
    for target in targets { #expect(readme.contains("  \(target)/ ")) }
    let help = try await SocketThread.run {
      try ["serve", "backup", "replay", "check"].map {
        try ServeProcess.run([$0, "--help"]).output
      }.joined()
    }
    let prose = text.replacing(/(?m)^```[^`]*^```$/, with: "").replacing(/`swift [^`]*`/, with: "")
    for match in prose.matches(of: /--[a-z][a-z-]*/) {
      let option = String(match.output)
      #expect(option == "--help" || help.contains(option), "\(option)")
    }
  }
}
