import ArgumentParser
// Swift does not know that the C library guards its streams.
@preconcurrency import Glibc

/// What a command prints.
enum StandardOutput {
  /// Writes out what was printed. Call it last: `print` ignores errors, and a script would take a part for the whole.
  ///
  /// - Throws: `StartError` if a part could not be written, such as on a full disk.
  static func finish() throws(StartError) {
    if fflush(stdout) == 0, ferror(stdout) == 0 { return }
    throw StartError(
      message: "standard output: not everything could be written", exitCode: ExitCode(EX_IOERR))
  }
}
