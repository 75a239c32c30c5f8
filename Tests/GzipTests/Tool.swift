import Foundation
import Testing

/// Another program that reads and writes gzip files.
enum Tool: CaseIterable, CustomTestStringConvertible {
  case gzip
  case python

  private static let readInPython =
    "import gzip, sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))"
  private static let writeInPython =
    "import gzip, sys; sys.stdout.buffer.write(gzip.compress(sys.stdin.buffer.read()))"

  func decompress(_ bytes: [UInt8]) throws -> [UInt8] {
    switch self {
    case .gzip: try Self.run(["gzip", "-dc"], bytes)
    case .python: try Self.run(["python3", "-c", Self.readInPython], bytes)
    }
  }

  func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    switch self {
    case .gzip: try Self.run(["gzip", "-c"], bytes)
    case .python: try Self.run(["python3", "-c", Self.writeInPython], bytes)
    }
  }

  var testDescription: String { "\(self)" }

  /// Returns the output of a command. It reads its input from a file, because two pipes could
  /// deadlock.
  private static func run(_ command: [String], _ input: [UInt8]) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(input).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ToolFailure(command: command) }
    return [UInt8](bytes)
  }
}

/// An error of a program that did not accept its input.
struct ToolFailure: Error {
  let command: [String]
}
