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

  static func text() throws -> String {
    try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
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

  /// Revisions differ from run to run in their epoch alone, and in when they were made.
  static func comparable(_ output: [String], port: UInt16) -> [String] {
    output.map { line in
      line.replacing(":\(port)", with: ":8080")
        .replacing(/\b[0-9A-Za-z]{8}(?<number>\.[0-9]+)\b/) { "EPOCH\($0.output.number)" }
        .replacing(/"at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/, with: #""at":"DATE""#)
    }
  }

  @Test("shows a session that goes exactly as it says", .timeLimit(.minutes(2)))
  func session() async throws {
    try await SocketThread.run {
      let steps = Self.steps(try Self.text())
      let words = try #require(steps.first).command.split(separator: " ").map(String.init)
      try #require(words.first == "scripts/serve")
      let page = ["--public", Self.root.appending(path: "Public").path]
      let server = try ServeProcess(page + words.dropFirst())
      #expect(Self.comparable(server.announcement, port: server.port) == steps[0].output)

      let client = try server.client()
      var shell = "set -eu\n"
      var shown = ["profile/4"]
      for step in steps.dropFirst() {
        if step.command.hasPrefix("# ") {
          for screen in shown {
            _ = try client.settled("/v1/view-models/\(screen)")
          }
          continue
        }
        // Each command runs after all variables that were set before it.
        let command = step.command.replacing(":8080", with: ":\(server.port)")
        // What the command gave is kept, not computed again later.
        let name = command.prefixMatch(of: /(?<variable>[A-Z]+)=/)?.output.variable
        let tail = name.map { "; printf '\\1%s' \"$\($0)\"" } ?? ""
        let result = try Shell.run(shell + command + tail)
        #expect(result.code == 0, "\(step.command)")
        let parts = result.output.split(separator: "\u{1}", omittingEmptySubsequences: false)
        let output = parts[0].split(separator: "\n").map(String.init)
        #expect(
          Self.comparable(output, port: server.port) == Self.comparable(step.output, port: 8080),
          "\(step.command)")
        if name == "FORM" { shown.append(String(parts[1].split(separator: "/v1/view-models/")[1])) }
        if let name { shell += "\(name)='\(parts[1].replacing("'", with: "'\\''"))'\n" }
      }
    }
  }

  @Test("shows a crash after which the server goes on where it ended")
  func restart() async throws {
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      let file = directory.url.appending(path: "demo.journal").path
      var (server, variables) = (ServeProcess?.none, "set -eu\n")
      for step in Self.steps(try Self.text(), of: "```console restart") {
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
      for step in Self.steps(try Self.text(), of: "```console servers") {
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

  /// Runs a command and checks its output, unless it sets a variable.
  ///
  /// - Parameters:
  ///   - step: The command.
  ///   - variables: The lines of a shell that set the variables before.
  ///   - ports: The ports of servers by those in the README.
  /// - Returns: The line that sets the variable, if there is one.
  private static func check(
    _ step: Step, after variables: String, ports: [String: UInt16]
  ) throws -> String {
    let name = step.command.prefixMatch(of: /(?<variable>[A-Z]+)=/)?.output.variable
    let tail = name.map { "; printf %s \"$\($0)\"" } ?? ""
    func translated(_ text: String, back: Bool = false) -> String {
      ports.reduce(text) { text, port in
        back
          ? text.replacing(":\(port.value)", with: ":\(port.key)")
          : text.replacing(":\(port.key)", with: ":\(port.value)")
      }
    }
    let result = try Shell.run(translated(variables + step.command + tail))
    #expect(result.code == 0, "\(step.command)")
    if let name { return "\(name)='\(translated(result.output, back: true))'\n" }
    #expect(result.output.split(separator: "\n").map(String.init) == step.output)
    return ""
  }

  @Test("shows the main program of the package that scripts/test builds")
  func mainProgram() throws {
    let program = try String(
      contentsOf: Self.root.appending(path: "Tests/Packages/Todo/Sources/Todo/main.swift"),
      encoding: .utf8)
    #expect(program.split(separator: "\n").count <= 15)
    #expect(try Self.text().contains("```swift\n\(program)```"))
  }

  @Test("names only scripts, targets and options that there are")
  func names() async throws {
    let text = try Self.text()
    for match in text.matches(of: /scripts\/[a-z-]+/) {
      #expect(
        FileManager.default.isExecutableFile(
          atPath: Self.root.appending(path: String(match.output)).path))
    }
    let targets = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Sources").path)
    for target in targets { #expect(text.contains("  \(target)/ ")) }
    let help = try await SocketThread.run { try ServeProcess.run(["serve", "--help"]).output }
    let prose = text.replacing(/(?m)^```[^`]*^```$/, with: "")
    for match in prose.matches(of: /--[a-z][a-z-]*/) {
      let option = String(match.output)
      #expect(option == "--help" || help.contains(option), "\(option)")
    }
  }
}
