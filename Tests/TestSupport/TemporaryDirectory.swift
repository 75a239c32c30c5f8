public import Foundation

/// A directory that is deleted, with all that is in it, together with this object.
public final class TemporaryDirectory: Sendable {
  public let url: URL

  /// Makes an empty one.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "viewdelta-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public var path: String { url.path }

  /// Where a name in it is, whether there is something or not.
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
