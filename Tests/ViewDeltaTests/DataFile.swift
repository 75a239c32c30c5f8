import CanonicalJSON
import Foundation

/// A file of users and posts for the binary to serve. One that was written here is deleted with
/// this object.
final class DataFile: Sendable {
  let path: String
  private let isOwned: Bool

  /// A file that is there already.
  init(path: String) {
    self.path = path
    isOwned = false
  }

  /// Writes a file.
  init(_ bytes: [UInt8]) throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "viewdelta-\(UUID().uuidString).json")
    try Data(bytes).write(to: url)
    path = url.path
    isOwned = true
  }

  deinit {
    if isOwned { try? FileManager.default.removeItem(atPath: path) }
  }

  /// A json-server file as they are found in the wild: ten users with members that nobody asked
  /// for, ten posts each without dates. `VIEWDELTA_DATA` names another one to run on.
  static func users() throws -> DataFile {
    if let path = ProcessInfo.processInfo.environment["VIEWDELTA_DATA"] {
      return DataFile(path: path)
    }
    let users = (1...10).map { id in
      JSONValue.object([
        "id": .integer(id), "name": .string("Name \(id)"), "username": .string("user\(id)"),
        "email": .string("user\(id)@example.com"), "phone": "555-0100",
        "address": ["city": .string("City \(id)"), "geo": ["lat": "1.5", "lng": "2.5"]],
        "website": .string("user\(id).example.com"), "company": ["name": "Example"],
      ])
    }
    let posts = (1...100).map { id in
      JSONValue.object([
        "id": .integer(id), "userId": .integer((id - 1) / 10 + 1),
        "title": .string("Title \(id)"), "body": .string("First line.\nSecond line of \(id)."),
      ])
    }
    let document: JSONValue = ["users": .array(users), "posts": .array(posts)]
    return try DataFile(document.canonicalBytes())
  }
}
