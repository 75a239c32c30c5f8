import Foundation
import Glibc
import TestSupport
import Testing

/// The built binary, running `viewdelta serve` on a free port.
///
/// It blocks the calling thread, so it belongs into `SocketThread.run`. Whatever happens to a test,
/// the process does not outlive this object.
final class ServeProcess {
  private let process: Process
  private let output: Pipe
  private let errors: Pipe
  private let data: DataFile?
  /// What it printed up to being ready.
  let announcement: [String]
  let port: UInt16

  /// Commands of a shell that come first, so that not even root may use a file against its permissions.
  static let withoutPowerOverFiles = """
    if [ "$(id -u)" = 0 ]; then
      exec setpriv --bounding-set=-dac_override,-dac_read_search "$0" "$@"
    fi
    """

  /// A command of a shell that fills the pipe to which it writes.
  static let fillingPipe = "dd if=/dev/zero bs=64k count=1 status=none"

  /// The binary beside the running tests.
  static var binary: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "viewdelta")
  }

  /// Starts the server and waits until it says where it listens.
  ///
  /// - Parameters:
  ///   - data: what to serve in place of the demo data.
  ///   - shell: commands of a shell that come first, such as `ulimit -n 64`.
  ///   - binary: the program to run.
  ///   - command: its command that serves; none for a program that does nothing else.
  init(
    _ arguments: [String] = [], data: DataFile? = nil, shell: String? = nil, binary: URL = binary,
    command: [String] = ["serve"]
  ) throws {
    self.data = data
    let file = data.map { ["--data", $0.path] } ?? []
    (process, output, errors) = try Self.launch(
      command + ["--port", "0"] + file + arguments, shell: shell, binary)
    var lines: [String] = []
    do {
      repeat {
        lines.append(try output.readLine())
      } while !lines[lines.count - 1].hasSuffix("/v1/view-models")
        && !lines.joined().contains("/diff?")
    } catch {
      process.terminate()
      throw error
    }
    announcement = lines
    let address = lines[0].split(separator: " ").first { $0.hasPrefix("http://") }
    let digits = address?.split(separator: ":").last?.prefix { $0.isNumber }
    guard let port = digits.flatMap({ UInt16($0) }) else {
      process.terminate()
      throw LawViolation("no port in \(lines[0])")
    }
    self.port = port
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  func client(receiveBuffer: Int32? = nil) throws -> SocketClient {
    try SocketClient(port: port, receiveBuffer: receiveBuffer)
  }

  func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// The next line that it logs.
  func logLine() throws -> String { try errors.readLine() }

  /// The processor time that it has taken so far, in clock ticks.
  func processorTicks() throws -> Int {
    let text = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    // The second field is a name in brackets, which may have spaces; times are the 14th and 15th.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      throw LawViolation("no stat")
    }
    return user + system
  }

  var identifier: Int32 { process.processIdentifier }

  var isRunning: Bool { process.isRunning }

  /// The memory that it has, in MiB (proc(5)).
  var residentMemory: Int {
    get throws {
      let status = try String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      guard let size = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
        throw LawViolation("no VmRSS in \(status)")
      }
      return size / 1024
    }
  }

  /// Waits until it has ended.
  ///
  /// - Returns: the exit code, and how the process ended.
  func exit() throws -> (code: Int32, reason: Process.TerminationReason) {
    try Self.wait(for: process)
    return (process.terminationStatus, process.terminationReason)
  }

  /// Runs the binary to its end, for what does not start a server.
  static func run(
    _ arguments: [String], shell: String? = nil, binary: URL = binary
  ) throws -> (code: Int32, output: String, errors: String) {
    let (process, output, errors) = try launch(arguments, shell: shell, binary)
    // Both streams are short here, so the process never waits for a reader.
    try wait(for: process)
    return (
      process.terminationStatus,
      String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
      String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    )
  }

  /// Copies the binary into a directory. With its own modification time the copy is another build.
  static func otherBuild(in directory: URL) throws -> URL {
    let other = directory.appending(path: "viewdelta")
    try Data(contentsOf: binary).write(to: other)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: other.path)
    return other
  }

  /// Checks that the binary refuses arguments, and says why in one line.
  static func expectRefusal(
    _ arguments: [String], _ code: Int32, _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try run(arguments)
    #expect(result.code == code && result.output.isEmpty, sourceLocation: sourceLocation)
    #expect(result.errors == "viewdelta: \(reason)\n", sourceLocation: sourceLocation)
  }

  private static func launch(
    _ arguments: [String], shell: String?, _ binary: URL
  ) throws -> (Process, output: Pipe, errors: Pipe) {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    if let shell {
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", shell + "; exec \"$0\" \"$@\"", binary.path] + arguments
    } else {
      process.executableURL = binary
      process.arguments = arguments
    }
    // Where there is no directory Public: joining the page takes a third of a start.
    process.currentDirectoryURL = binary.deletingLastPathComponent()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return (process, output, errors)
  }

  private static func wait(for process: Process) throws {
    let end = ContinuousClock.now + patience
    while process.isRunning {
      guard ContinuousClock.now < end else {
        kill(process.processIdentifier, SIGKILL)
        throw LawViolation("the process did not end within \(patience)")
      }
      // Foundation learns of the end on a run loop; poll without one ends early on no event.
      _ = poll(nil, 0, 10)
    }
  }
}
