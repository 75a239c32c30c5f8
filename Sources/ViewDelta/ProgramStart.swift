import Foundation
import Glibc
import Synchronization

/// Starts the program anew in its process: an engine cannot go back, because features hold its stores.
enum ProgramStart {
  private static let port = Mutex<UInt16?>(nil)

  /// Keeps the port that the server has, so that it has the same one after it was started anew.
  static func keep(_ port: UInt16) { self.port.withLock { $0 = port } }

  /// Starts the program anew with its arguments. Its descriptors close by themselves (`O_CLOEXEC`).
  static func again() -> Never {
    // The last of two options applies.
    let port = port.withLock { $0 }.map { ["--port", "\($0)"] } ?? []
    let arguments = (CommandLine.arguments + port).map { strdup($0) } + [nil]
    execv(Bundle.main.executablePath ?? CommandLine.arguments[0], arguments)
    // A supervisor starts it.
    exit(EX_TEMPFAIL)
  }
}
