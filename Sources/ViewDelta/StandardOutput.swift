import ArgumentParser
// Swift does not know that the C library guards its streams.
@preconcurrency import Glibc

/// What a command prints.
enum StandardOutput {
  /// Writes out what was printed. Call it last: `print` ignores errors, and a script would take a part for the whole.
  ///
  /// - Throws: The exit code of the command if a part could not be written, such as on a full disk, after one line on
  ///   standard error.
  static func finish() throws(ExitCode) {
    if fflush(stdout) == 0, ferror(stdout) == 0 { return }
    let message = "standard output: not everything could be written"
    throw StartError(message: message, exitCode: ExitCode(EX_IOERR)).reported()
  }
}
