import Foundation
import HTTPTypes
import Hummingbird

/// The replies of a manifest, ready to be sent.
///
/// A line of the manifest names a target, the value of If-None-Match that a request must have, or
/// `-`, and the file with the reply as it came over the wire, separated by tabs.
struct CapturedReplies: Sendable {
  private struct Key: Hashable {
    let path: String
    let query: String?
    let ifNoneMatch: String?
  }

  private var replies: [Key: Response] = [:]

  /// The paths without their queries.
  var paths: Set<String> { Set(replies.keys.map(\.path)) }

  init(manifest: String) throws {
    for line in try String(contentsOfFile: manifest, encoding: .utf8).split(separator: "\n") {
      let columns = line.split(separator: "\t").map(String.init)
      let target = columns[0].split(separator: "?", maxSplits: 1).map(String.init)
      let key = Key(
        path: target[0], query: target.count > 1 ? target[1] : nil,
        ifNoneMatch: columns[1] == "-" ? nil : columns[1])
      replies[key] = try Self.response(Data(contentsOf: URL(filePath: columns[2])))
    }
  }

  func reply(to path: String, query: String?, ifNoneMatch: String?) -> Response {
    replies[Key(path: path, query: query, ifNoneMatch: ifNoneMatch)]
      ?? Response(status: .notFound)
  }

  /// Parses a reply. What frames the message and the date are for the server to write.
  private static func response(_ bytes: Data) throws -> Response {
    guard let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let code = Int(lines[0].split(separator: " ")[1]) ?? 500
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      let value = parts[1].trimmingCharacters(in: .whitespaces)
      guard let name = HTTPField.Name(String(parts[0])), !writtenByServer.contains(name) else {
        continue
      }
      fields.append(HTTPField(name: name, value: value))
    }
    let status = HTTPResponse.Status(code: code)
    let body = bytes[end.upperBound...]
    // A 304 is sent with the length of the representation that it stands for, which is no body here.
    return body.isEmpty
      ? Response(status: status, headers: fields)
      : Response(
        status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  private static let writtenByServer: Set<HTTPField.Name> = [
    .contentLength, .date, .connection, .transferEncoding,
  ]
}
