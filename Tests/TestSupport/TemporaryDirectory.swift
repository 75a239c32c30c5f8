public import Foundation

/// A temporary directory that is deleted with its contents when this object is freed.
public final class TemporaryDirectory: Sendable {
  public let url: URL

  /// Creates an empty directory.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "viewdelta-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public var path: String { url.path }

  /// Returns the path of a name in the directory, whether or not a file exists there.
  public func path(of name: String) -> String { url.appending(path: name).path }

  /// Writes a file, and the directories above it.
  public func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a file, and the directories above it.
  public func write(_ bytes: [UInt8], to name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }
}
