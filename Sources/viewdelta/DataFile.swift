import CanonicalJSON
import Foundation
import Screens

/// A json-server file with the users and posts to start with.
struct DataFile {
  let path: String

  /// Reads the file.
  ///
  /// - Throws: `StartError` naming the option, the file, and the place and kind of the fault.
  func load() throws(StartError) -> ProfileData {
    let value: JSONValue
    let bytes = try read()
    do throws(JSONParseError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw .malformed(
        "--data", path, at: place(error.pointer),
        "\(error.message) (at byte \(error.offset))")
    }
    do throws(JSONShapeError) {
      return try ProfileData(JSONReader(value))
    } catch {
      throw .malformed("--data", path, at: place(error.pointer), error.message)
    }
  }

  private func place(_ pointer: JSONPointer) -> String {
    pointer.description.isEmpty ? "the whole document" : pointer.description
  }

  private func read() throws(StartError) -> [UInt8] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw .unreadable("--data", path, "there is no such file")
    }
    guard !isDirectory.boolValue else {
      throw .unreadable("--data", path, "this is a directory")
    }
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw .unreadable("--data", path, "it cannot be read")
    }
  }
}
