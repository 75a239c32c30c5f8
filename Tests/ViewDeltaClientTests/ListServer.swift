import CanonicalJSON
import Foundation
import HTTPTypes
import Snapshots
import TestSupport

@testable import ViewDeltaClient

/// A server with two lists, which nothing has loaded at first, and with all that it ever had.
struct ListServer {
  typealias Reply = (status: Int, fields: HTTPFields, body: [UInt8])

  private struct List {
    var rows: [Text] = ["0"]
    var state: Text = "notRequested"
    /// The revisions since the last start.
    var revisions: [Text] = []
  }

  static let names: [Text] = ["list/1", "list/2"]

  private var lists: [Text: List] = [:]
  private var startCount = 0
  private var rowCount = 0
  /// The replies to commands, by their idempotency keys.
  private var replies: [String: Reply] = [:]
  /// The contents of all revisions, also of those before the last start.
  private(set) var contents: [Text: Snapshot] = [:]
  /// How often the command with each id was executed since the server lost its data.
  private(set) var executions: [Text: Int] = [:]
  /// How often each list was opened since then.
  private(set) var openings: [Text: Int] = [:]

  init() { start(keepsData: false) }

  /// The content of the newest revision.
  func newest(_ name: Text) -> Snapshot? {
    lists[name]?.revisions.last.flatMap { contents[$0] }
  }

  /// Starts anew, under which no former revision is known.
  mutating func start(keepsData: Bool) {
    startCount += 1
    if !keepsData { (lists, replies, executions, openings) = ([:], [:], [:], [:]) }
    for name in Self.names {
      lists[name, default: List()].revisions = []
      publish(name)
    }
  }

  /// Changes a list, sometimes in a way that nobody sees.
  mutating func write(_ random: inout SeededGenerator) {
    let name = random.pick(Self.names)
    let count = lists[name]?.rows.count ?? 0
    switch random.number(in: 0...3) {
    case 0: break
    case 1 where count > 3: lists[name]?.rows.removeFirst(2)
    default:
      rowCount += 1
      lists[name]?.rows.append(Text("w\(rowCount)"))
    }
    publish(name)
  }

  private mutating func publish(_ name: Text) {
    guard let list = lists[name] else { return }
    let revision = Text("\(startCount).\(contents.count)")
    let rows = list.rows.map { Row(id: $0, type: "t") }
    contents[revision] = try? Snapshot(
      states: ["items": list.state], sections: [Section(id: "s", rows: rows)])
    lists[name]?.revisions.append(revision)
  }

  /// Answers a request.
  ///
  /// - Parameter wait: Lets time pass, in seconds, in which the server may change.
  mutating func reply(
    to request: HTTPRequest, _ body: [UInt8], wait: (Int, inout ListServer) -> Void
  ) throws -> Reply {
    let url = try Self.value(URLComponents(string: "http://localhost\(request.path ?? "/")"))
    let parts = url.path.split(separator: "/").map(String.init)
    if parts == ["v1", "view-models", "list"] {
      return (200, [:], Array(#"{"name":"list","opening":"appear","opens":["items"]}"#.utf8))
    }
    func parameter(_ name: String) -> Text? {
      url.queryItems?.first { $0.name == name }?.value.map { Text($0) }
    }
    if parts == ["v1", "sync"] {
      let question = JSONReader(try JSONValue(parsing: body))
      let screens = try question.member("screens")
      var held: [Text: (since: Text?, have: Text?)] = [:]
      for name in try screens.memberNames {
        let member = try screens.member(name)
        held[name] = (
          try member.optionalMember("since")?.string(), try member.optionalMember("have")?.string()
        )
      }
      let seconds = try question.optionalMember("wait")?.integer() ?? 0
      let (documents, revisions) = try changes(since: held, seconds, wait)
      let fields: HTTPFields = [.viewRevision: revisions.map { "\($0)" }.joined(separator: ",")]
      if documents.isEmpty { return (204, fields, []) }
      let members = try documents.mapValues { try JSONValue(parsing: $0) }
      return (200, fields, JSONValue.object(["screens": .object(members)]).canonicalBytes())
    }
    let name = Text(parts[2...3].joined(separator: "/"))
    if parts.last == "commands" { return try command(name, request.headerFields, body) }
    let held = [name: (since: parameter("since"), have: parameter("have"))]
    let seconds = parameter("wait").flatMap { Int("\($0)") } ?? 0
    let (documents, revisions) = try changes(since: held, seconds, wait)
    if let document = documents[name] { return (200, [:], document) }
    return (204, [.viewRevision: "\(revisions[0])"], [])
  }

  /// Returns the documents of the lists that have changed, and the revisions of all, in the order of their names.
  private mutating func changes(
    since held: [Text: (since: Text?, have: Text?)], _ seconds: Int,
    _ wait: (Int, inout ListServer) -> Void
  ) throws -> (documents: [Text: [UInt8]], revisions: [Text]) {
    let documents = try documents(since: held)
    if documents.isEmpty, seconds > 0 {
      wait(seconds, &self)
      return try changes(since: held, 0, wait)
    }
    return (documents, held.keys.sorted().compactMap { lists[$0]?.revisions.last })
  }

  private func documents(
    since held: [Text: (since: Text?, have: Text?)]
  ) throws -> [Text: [UInt8]] {
    var documents: [Text: [UInt8]] = [:]
    for (name, held) in held {
      let revisions = try Self.value(lists[name]).revisions
      let revision = try Self.value(revisions.last)
      let content = try Self.value(contents[revision])
      guard let since = held.since else {
        documents[name] = content.encoded(kind: .snapshot, screen: name, revision: revision)
        continue
      }
      var base = revisions.contains(since) ? contents[since] : nil
      if base == nil, let hash = held.have {
        base = revisions.compactMap { contents[$0] }
          .first { Text(ContentHash(of: $0).description) == hash }
      }
      if base == content { continue }
      documents[name] =
        base.map {
          content.difference(from: $0).encoded(screen: name, from: since, revision: revision)
        }
        ?? content.encoded(
          kind: .reset(reason: "epoch-changed"), screen: name, revision: revision)
    }
    return documents
  }

  private mutating func command(
    _ name: Text, _ fields: HTTPFields, _ body: [UInt8]
  ) throws -> Reply {
    let key = try Self.value(fields[HTTPField.Name("Idempotency-Key")!])
    if let reply = replies[key] { return reply }
    let revision = try Self.value(lists[name]?.revisions.last)
    if let match = fields[.ifMatch], match != "\"\(revision)\"" {
      let type: HTTPFields = [.contentType: "application/problem+json"]
      return (412, type, Array(#"{"code":"precondition-failed"}"#.utf8))
    }
    let command = JSONReader(try JSONValue(parsing: body))
    if try command.member("type").string() == "appear" {
      openings[name, default: 0] += 1
      lists[name]?.state = "loaded"
    } else {
      let id = try command.member("id").string()
      executions[id, default: 0] += 1
      lists[name]?.rows.append(id)
    }
    publish(name)
    let next = try Self.value(lists[name]?.revisions.last)
    let reply: Reply = (202, [:], Array(#"{"accepted":true,"revision":"\#(next)"}"#.utf8))
    replies[key] = reply
    return reply
  }

  private static func value<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw LawViolation("the request is not one of a client") }
    return value
  }
}
