import Foundation
import Glibc

/// A Redis of a test, with a directory of its own, that has on the disk what it acknowledges.
///
/// Whatever happens to a test, the process does not outlive this object.
public final class RedisServer {
  private var directory: TemporaryDirectory
  private var options: [String]
  private var process: Process
  /// Keeps the port while Redis is away.
  private var socket: BoundSocket
  public var port: UInt16 { socket.port }

  /// Starts Redis on a free port, and waits until it answers.
  public init(_ options: [String] = durability) throws {
    self.options = options
    directory = try TemporaryDirectory()
    socket = try BoundSocket()
    process = try Self.launch(socket.port, directory, options)
  }

  deinit {
    kill()
    close(socket.descriptor)
  }

  /// The options with which what is acknowledged is on the disk.
  public static let durability = ["--appendonly", "yes", "--appendfsync", "always"]

  /// The address of a journal, for `--journal`.
  public var journal: String { "redis://127.0.0.1:\(port)/demo" }

  public var identifier: Int32 { process.processIdentifier }

  /// Ends the process as a crash does.
  public func kill() {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Starts it again with what it has on the disk.
  ///
  /// - Parameter options: The options from now on; `nil` for those that it had.
  public func restart(_ options: [String]? = nil) throws {
    self.options = options ?? self.options
    process = try Self.launch(port, directory, self.options)
  }

  /// Starts another one in its place, which has nothing.
  public func replace(_ options: [String]) throws {
    kill()
    directory = try TemporaryDirectory()
    process = try Self.launch(port, directory, options)
  }

  /// Starts a replica, and waits until it has the journal.
  public func replica() throws -> RedisServer {
    // It waits 5 s for other replicas otherwise.
    try command("config set repl-diskless-sync-delay 0")
    let replica = try RedisServer(Self.durability + ["--replicaof", "127.0.0.1", "\(port)"])
    try awaitTrue("it is copied") { try replica.command("get demo").count >= 16 }
    return replica
  }

  /// Makes a replica a primary to which new connections to the former one lead from now on, as a proxy does. The former
  /// one keeps its open connections.
  public func takePlace(of former: RedisServer) throws {
    try command("replicaof no one")
    let free = try BoundSocket()
    try former.command("config set port \(free.port)")
    let taken = former.socket
    former.socket = free
    try command("config set port \(taken.port)")
    close(socket.descriptor)
    socket = taken
  }

  /// Runs a command with `redis-cli`, and returns what it prints.
  @discardableResult
  public func command(_ words: String) throws -> String {
    try Self.command(port, words)
  }

  /// The digests of what inputs have changed that the servers of the journal have told each other.
  public func digests() throws -> [Substring] {
    let era = try command("get demo").prefix(16)
    let lines = try command("xrange demo:\(era):entries - +").split(separator: "\n")
    return lines.indices.filter { lines[$0] == "digest" }.map { lines[$0 + 1] }
  }

  /// Cuts the connection on which the server that came last reads the journal. The server connects again after a while.
  public func cutLastReader() throws { try cutLast("viewdelta-following") }

  /// Cuts the newest connection of a server whose name begins with a word before a colon.
  public func cutLast(_ word: String) throws {
    let clients = try command("client list").split(separator: "\n").filter {
      $0.contains(" name=\(word):")
    }
    let ids = clients.compactMap { $0.split(separator: " ").first.flatMap { Int($0.dropFirst(3)) } }
    guard let last = ids.max() else { throw LawViolation("no server has such a connection") }
    try command("client kill id \(last)")
  }

  private static func command(_ port: UInt16, _ words: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let words = words.split(separator: " ").map { String($0) }
    process.arguments = ["redis-cli", "-p", "\(port)"] + words
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private static func launch(
    _ port: UInt16, _ directory: TemporaryDirectory, _ options: [String]
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "redis-server", "--bind", "127.0.0.1", "--port", "\(port)", "--dir", directory.path,
        "--save", "",
      ] + options
    process.standardOutput = Pipe()
    try process.run()
    try awaitTrue("Redis answers") {
      try require(process.isRunning, "Redis does not run")
      return try command(port, "ping") == "PONG\n"
    }
    return process
  }
}
