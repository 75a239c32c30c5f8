/// Why a directory of public files is not served at all.
public enum PublicFilesError: Error, Equatable {
  /// It cannot be read.
  case unreadable(reason: String)
  /// Something in it cannot be served.
  ///
  /// - Parameter path: where, seen from the directory; empty for all of it.
  case unacceptable(path: String, reason: String)
}
