public import ArgumentParser
import CanonicalJSON
import Foundation
import ViewDeltaServer
public import ViewState

/// An error that prevents the start: one line for people, and an exit code from `sysexits.h`.
struct StartError: Error {
  let message: String
  let exitCode: ExitCode

  /// Creates the error for a file that cannot be read.
  static func unreadable(_ option: String, _ path: String, _ reason: String) -> StartError {
    StartError(message: "\(option) \(path): \(reason)", exitCode: ExitCode(EX_NOINPUT))
  }

  /// Creates the error for invalid content of a file or directory at a location.
  static func malformed(
    _ option: String, _ path: String, at place: String, _ reason: String
  ) -> StartError {
    StartError(message: "\(option) \(path): \(place): \(reason)", exitCode: ExitCode(EX_DATAERR))
  }

  /// Creates the error for invalid data that a feature reads by itself.
  static func malformed(_ reason: String) -> StartError {
    StartError(message: reason, exitCode: ExitCode(EX_DATAERR))
  }

  /// Creates the error for a journal that cannot be used.
  static func journal(_ error: JournalError) -> StartError {
    switch error {
    case .unavailable(let reason), .replaced(let reason), .lost(let reason), .refused(let reason),
      .unconfirmed(let reason):
      StartError(message: "the journal: \(reason)", exitCode: ExitCode(EX_UNAVAILABLE))
    case .damaged(let reason):
      StartError(message: "the journal: \(reason)", exitCode: ExitCode(EX_DATAERR))
    }
  }

  /// Creates the error for an option whose value does not fit what the program has found.
  static func invalid(_ reason: String) -> StartError {
    StartError(message: reason, exitCode: .validationFailure)
  }

  /// Creates the error for features that contradict each other, which is an error of the program.
  static func contradiction(_ reason: String) -> StartError {
    StartError(message: reason, exitCode: ExitCode(EX_SOFTWARE))
  }

  /// Creates the error for an unavailable resource, such as a port in use.
  static func unavailable(_ reason: String) -> StartError {
    StartError(message: reason, exitCode: ExitCode(EX_UNAVAILABLE))
  }

  func report() {
    // `write(_:)` without `contentsOf` ends the process if standard error is full or closed.
    try? FileHandle.standardError.write(
      contentsOf: Data("\(ProgramName.current): \(message.line(upTo: Self.longest))\n".utf8))
  }

  /// The largest number of characters of texts from a file that are printed in one line.
  static let longest = 4_096

  /// Prints the error, and returns the exit code of the command.
  func reported() -> ExitCode {
    report()
    return exitCode
  }
}

extension StartError {
  /// Creates the error for what features have thrown.
  init(_ error: any Error) {
    self =
      switch error {
      case let error as StartError: error
      case let error as JournalError: .journal(error)
      case let error as ApplicationError: .contradiction("\(error)")
      case let error as JSONShapeError: .malformed("\(error)")
      default: .unavailable("\(error)")
      }
  }
}

extension JournalError {
  /// Prints the error in one line on standard error, for a command that cannot go on.
  ///
  /// ```swift
  /// func run() throws {
  ///   do { try SQLiteJournal.copy(journal, to: copy) } catch { throw error.reported() }
  /// }
  /// ```
  ///
  /// - Returns: The exit code of the command: 65 if the journal is damaged, 69 if it cannot be used now.
  public func reported() -> ExitCode {
    StartError.journal(self).reported()
  }
}

/// The name under which the program was started, for messages.
enum ProgramName {
  static let current =
    CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? "viewdelta"
}
