/// How much a directory of public files may hold; all of it is kept in memory.
public struct PublicFilesLimits: Sendable {
  /// The number of files and directories.
  public var entryCount = 1_000
  /// The size of all files, in bytes.
  public var byteCount = 32 * 1024 * 1024
  /// How many directories may lie in each other.
  public var depth = 16

  /// The limits of a server that is not told otherwise.
  public init() {}
}
