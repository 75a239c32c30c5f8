import CanonicalJSON
import Foundation
import Glibc

/// The file with the initial content of the stores.
struct DataFile {
  let path: String

  /// Parses the file.
  ///
  /// - Throws: `StartError` that names the option, the file, the location and the error.
  func load() throws(StartError) -> JSONValue {
    let bytes = try self.bytes()
    do throws(JSONParseError) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw .malformed(
        "--data", path, at: place(error.pointer), "\(error.message) (at byte \(error.offset))")
    }
  }

  /// Creates the error for a document that does not have the expected shape.
  func error(_ error: JSONShapeError) -> StartError {
    .malformed("--data", path, at: place(error.pointer), error.message)
  }

  private func place(_ pointer: JSONPointer) -> String {
    pointer.isRoot ? "the whole document" : pointer.description
  }

  private func bytes() throws(StartError) -> [UInt8] {
    // A folder that the user may not search hides whether the file is there.
    if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
      throw .unreadable("--data", path, "the file does not exist")
    }
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    guard !isDirectory.boolValue else {
      throw .unreadable("--data", path, "it is a directory")
    }
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw .unreadable("--data", path, "it cannot be read")
    }
  }
}
