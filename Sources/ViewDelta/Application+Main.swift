import ArgumentParser
// `import ViewDelta` is enough for a package that writes screens and serves them.
@_exported public import CanonicalJSON
@_exported public import Forms
@_exported public import HTTPTypes
@_exported public import MicroHTTP
@_exported public import Snapshots
@_exported public import ViewDeltaServer
@_exported public import ViewState

extension Application {
  /// Serves features with the options on the command line, until a signal ends the process. The main program of a
  /// server needs no other call.
  ///
  /// ```swift
  /// import ViewDelta
  ///
  /// await Application.main {
  ///   Groceries()
  ///   NotesFeature()
  /// }
  /// ```
  ///
  /// `--help` prints the options. If the server cannot start, the process ends with one line on standard
  /// error and an exit code of `sysexits.h`: 64 for an invalid option, 65 for invalid data, 66 for a file that
  /// cannot be read, 69 if a resource is unavailable, such as a port in use, 70 if features contradict each
  /// other.
  ///
  /// A program with subcommands or options of its own uses `ServeOptions` instead.
  ///
  /// - Parameters:
  ///   - journal: The journal of the inputs, so that a restart loses none; `nil` keeps the inputs only in memory.
  ///   - features: The screens and other features, in the order in which they are listed.
  nonisolated(nonsending) public static func main(
    journal: @autoclosure () throws(JournalError) -> (any Journal)? = nil,
    @FeatureBuilder _ features: () throws -> [any Feature]
  ) async {
    let program = Program.parseOrExit()
    do {
      try await program.options.serve(journal: journal(), features)
    } catch {
      Program.exit(withError: error)
    }
  }

  /// Prints the OpenAPI document of the API in a line on standard output, for a command.
  ///
  /// ```swift
  /// struct PrintOpenAPI: ParsableCommand {
  ///   func run() throws {
  ///     try Application { NotesFeature() }.printOpenAPI()
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: An error for the `exit(withError:)` of the command, if a part could not be written.
  public func printOpenAPI() throws {
    print(String(decoding: openAPI, as: UTF8.self))
    try StandardOutput.finish()
  }
}

/// The command line of a program that has no other commands.
private struct Program: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: ProgramName.current, abstract: "Serve the view models over HTTP.",
      discussion: ServeOptions.discussion)
  }

  @OptionGroup var options: ServeOptions
}
