import ArgumentParser
import Foundation
import Glibc

/// Why the server did not start: one line for people, and an exit code from `sysexits.h`.
struct StartError: Error {
  let message: String
  let exitCode: ExitCode

  /// A file that cannot be read.
  static func unreadable(_ option: String, _ path: String, _ reason: String) -> StartError {
    StartError(message: "\(option) \(path): \(reason)", exitCode: ExitCode(EX_NOINPUT))
  }

  /// A file or a directory with something wrong in it, and where.
  static func malformed(
    _ option: String, _ path: String, at place: String, _ reason: String
  ) -> StartError {
    StartError(message: "\(option) \(path): \(place): \(reason)", exitCode: ExitCode(EX_DATAERR))
  }

  /// Something outside is in the way, such as a port in use.
  static func unavailable(_ reason: String) -> StartError {
    StartError(message: reason, exitCode: ExitCode(EX_UNAVAILABLE))
  }

  func report() {
    FileHandle.standardError.write(Data("viewdelta: \(message)\n".utf8))
  }
}
