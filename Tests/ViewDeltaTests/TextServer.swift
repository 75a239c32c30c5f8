import CanonicalJSON
import Foundation
import TestSupport

/// The binary with one resource of each kind, and all screens loaded.
final class TextServer {
  private let server: ServeProcess
  let client: SocketClient

  private static let resources: [(path: String, document: JSONValue)] = [
    ("users/1", ["id": 1, "username": "u"]),
    ("users/1/posts/1", ["id": 1, "userId": 1, "title": "t", "body": "b"]),
    ("listeners/1", ["id": 1, "name": "n"]),
    ("listeners/1/podcasts/1", ["id": 1, "title": "t"]),
    ("scoreboards/1", ["id": 1, "title": "b", "players": [["id": 1, "name": "n"]]]),
    ("catalogs/1", ["id": 1, "sections": [["id": "s", "items": [["id": "i", "title": "t"]]]]]),
    ("companies/1", ["id": 1, "name": "n", "city": "c", "taxNumber": "DE136695976"]),
    (
      "forms/1",
      [
        "id": 1, "title": "t",
        "sections": [["id": "s", "rows": [["id": "field", "kind": "text", "label": "l"]]]],
      ]
    ),
    ("forms/1/entries/1", ["id": 1, "text": "t", "date": "2026-01-01T00:00:00Z"]),
  ]

  init() throws {
    server = try ServeProcess(
      ["--latency", "0ms", "--faults"],
      data: DataFile(#"{"users":[],"posts":[],"listeners":[],"forms":[]}"#.utf8.map { $0 }))
    client = try server.client()
    for (path, document) in Self.resources {
      let collection = path.split(separator: "/").dropLast().joined(separator: "/")
      try client.send("POST", "/v1/" + collection, document)
    }
    for (viewModel, command) in [
      ("profile/1", "appear"), ("podcasts/1", "load"), ("form/1", "loadActivity"),
    ] {
      let path = "/v1/view-models/" + viewModel
      try client.send("POST", path + "/commands", ["type": .string(command)])
      _ = try client.settled(path)
    }
  }

  /// Writes all resources as they were in the beginning.
  func startOver() throws {
    for (path, document) in Self.resources { try client.send("PUT", "/v1/" + path, document) }
    try client.send("POST", "/v1/view-models/form/1/commands", ["type": "reset"])
  }

  /// Writes a text, and looks whether it arrived where it is read and shown.
  func write(_ text: String, to place: TextWriteTests.Place) throws {
    let viewModel = place.viewModel ?? "/v1/view-models/profile/1"
    let before = try client.get(viewModel)
    let body = place.body.replacing("TEXT", with: text)
    let name = "\(place.method) \(place.path) \(body) of \(text.unicodeScalars.map(\.value))"
    let reply = try client.request(
      place.method, place.path, json: body)
    try require(reply.status == 200, "\(name) is \(reply.status): \(reply.text)")
    let read = try client.get(place.resource ?? place.path)
    try require(read.has(text), "\(name) is not what is read: \(read.text)")
    if place.viewModel == nil { return }
    let after = try client.get(viewModel)
    try require(after.has(text), "\(name) is not what is shown: \(after.text)")
    guard
      let (old, new) = before["view-revision"].flatMap({ old in
        after["view-revision"].map { (old, $0) }
      })
    else { throw LawViolation("\(name): no View-Revision") }
    try require(old != new, "\(name) makes no revision")
    let diff = try client.get("\(viewModel)/diff?since=\(old)", fields: ["Prefer: return=diff"])
    try require(diff.status == 200, "\(name): the diff is \(diff.status)")
    try require(diff.has(text), "\(name) is not in the diff: \(diff.text)")
  }
}

extension HTTPReply {
  /// Whether the bytes of the text are in the body.
  func has(_ text: String) -> Bool {
    Data(body).range(of: Data(text.utf8)) != nil
  }
}
