import Foundation
import Glibc
import TestSupport

/// A command of a shell that goes on while the test does other things.
final class Background {
  private let process = Process()
  private let pipe = Pipe()

  init(_ script: String) throws {
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script]
    process.standardOutput = pipe
    process.standardError = FileHandle.standardError
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Reads one line.
  func readLine() throws -> String { try pipe.readLine() }

  /// Reads all output up to its end.
  func output() throws -> String {
    var bytes: [UInt8] = []
    while let byte = try pipe.readByte() { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
