import CanonicalJSON
import Foundation

/// A file with what the stores are to start with.
struct DataFile {
  let path: String

  /// Reads the file, and has its document read.
  ///
  /// - Throws: `StartError` naming the option, the file, and the place and kind of the fault.
  func load<Value>(
    _ read: (JSONReader) throws(JSONShapeError) -> Value
  ) throws(StartError) -> Value {
    let value: JSONValue
    let bytes = try self.bytes()
    do throws(JSONParseError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw .malformed(
        "--data", path, pointer: error.pointer.description,
        "\(error.message) (at byte \(error.offset))")
    }
    do throws(JSONShapeError) {
      return try read(JSONReader(value))
    } catch {
      throw .malformed("--data", path, pointer: error.pointer.description, error.message)
    }
  }

  private func bytes() throws(StartError) -> [UInt8] {
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
