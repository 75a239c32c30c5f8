import Foundation
import Glibc
import TestSupport

/// A Redis of a test, with a directory of its own, that has on the disk what it acknowledges.
///
/// Whatever happens to a test, the process does not outlive this object.
final class RedisServer {
  private let directory: TemporaryDirectory
  private var process: Process
  let port: UInt16

  /// Starts Redis on a free port, and waits until it answers.
  init() throws {
    directory = try TemporaryDirectory()
    port = try Self.freePort()
    process = try Self.launch(port, directory)
  }

  deinit { kill() }

  /// The options with which what is acknowledged is on the disk.
  static let durability = ["--appendonly", "yes", "--appendfsync", "always"]

  /// The address of a journal, for `--journal`.
  var journal: String { "redis://127.0.0.1:\(port)/demo" }

  /// Ends the process as a crash does.
  func kill() {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Starts it again with what it has on the disk.
  func restart() throws { process = try Self.launch(port, directory) }

  /// Runs a command with `redis-cli`, and returns what it prints.
  @discardableResult
  func command(_ words: String) throws -> String {
    try Shell.run("redis-cli -p \(port) \(words)").output
  }

  private static func launch(_ port: UInt16, _ directory: TemporaryDirectory) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "redis-server", "--bind", "127.0.0.1", "--port", "\(port)", "--dir", directory.path,
        "--save", "",
      ] + durability
    process.standardOutput = Pipe()
    try process.run()
    let end = ContinuousClock.now + ServeProcess.deadline
    while try Shell.run("redis-cli -p \(port) ping").output != "PONG\n" {
      guard process.isRunning, ContinuousClock.now < end else {
        throw LawViolation("Redis does not answer")
      }
    }
    return process
  }

  /// Returns a port that was free a moment ago.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var count = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, count) == 0 && getsockname(descriptor, address, &count) == 0
      }
    }
    guard isBound else { throw LawViolation("no free port") }
    return UInt16(bigEndian: address.sin_port)
  }
}
