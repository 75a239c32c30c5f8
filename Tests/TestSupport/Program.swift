import Foundation

/// Programs in other languages, to check how they understand the contract.
public enum Program {
  /// Returns whether the program is on the path.
  public static func exists(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  /// Runs a program to its end and returns its output.
  ///
  /// - Parameter name: The name of a program on the path, or its path.
  /// - Throws: ``LawViolation`` if the program fails.
  public static func run(
    _ name: String, _ arguments: [String], input: [UInt8] = []
  ) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    // The input comes from a file, because two pipes could block each other.
    let directory = try TemporaryDirectory()
    try directory.write(input, to: "input")
    process.standardInput = try FileHandle(forReadingFrom: directory.url.appending(path: "input"))
    let standardOutput = Pipe()
    process.standardOutput = standardOutput
    try process.run()
    let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try require(process.terminationStatus == 0, "\(name) failed")
    return Array(output)
  }
}
