import Glibc

/// Where the log goes.
enum StandardError {
  /// Makes a full pipe lose log lines instead of stopping the server until somebody reads it.
  ///
  /// A terminal or a file is left as it is: its mode is shared with other processes, and it does not
  /// fill up for good.
  static func loseWhatDoesNotFit() {
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    let flags = fcntl(STDERR_FILENO, F_GETFL)
    _ = fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK)
  }
}
