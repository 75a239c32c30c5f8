/// Why a single name in a directory of public files is not served.
public enum SkipReason: String, Sendable {
  /// It could lead anywhere.
  case symbolicLink = "a symbolic link"
  /// A FIFO, a socket or a device: reading it might never end.
  case specialFile = "neither a file nor a directory"
  /// The process may not read it, or it went away while the directory was read.
  case unreadable = "it cannot be read"
  /// It is not UTF-8, or has braces, which stand for parameters in the patterns of the router.
  case unroutable = "its name cannot stand in a path"
}
