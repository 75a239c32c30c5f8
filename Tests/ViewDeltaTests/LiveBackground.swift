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
  func readLine() throws -> String {
    var line: [UInt8] = []
    while let byte = try readByte() {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    throw LawViolation("the output ended: \(String(decoding: line, as: UTF8.self))")
  }

  /// Reads all output up to its end.
  func output() throws -> String {
    var bytes: [UInt8] = []
    while let byte = try readByte() { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func readByte() throws -> UInt8? {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let end = ContinuousClock.now + patience
    while true {
      guard ContinuousClock.now < end else { throw LawViolation("nothing for \(patience)") }
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      return read(descriptor, &byte, 1) == 1 ? byte : nil
    }
  }
}
