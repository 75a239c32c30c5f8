import CanonicalJSON
import Snapshots
import TestSupport
import ViewDeltaClient

/// A client that follows one view model by what comes over the wire alone, through broken connections,
/// and writes down what it was shown.
struct Watcher: Sendable {
  /// How it follows.
  enum Way: CaseIterable, Sendable {
    case poll
    case compressedPoll
    case events
    case sync
  }

  /// A step that it was told.
  struct Hop: Sendable {
    let kind: String
    let revision: String
    /// The view model after the step.
    let bytes: [UInt8]
  }

  private let live: LiveServer
  private let way: Way
  private var generator: SeededGenerator
  private var replica: Replica
  private(set) var hops: [Hop] = []

  init(_ live: LiveServer, _ way: Way, seed: UInt64) throws {
    self.live = live
    self.way = way
    generator = SeededGenerator(seed: seed)
    replica = try Replica(document: live.client().get(Backend.viewModel).body)
  }

  /// Follows until the view model shows this text.
  mutating func follow(until text: String) throws -> [Hop] {
    let end = "\"\(text)\""
    while !shows(end) {
      let client = try live.client()
      if generator.chance(0.2) {
        // One that leaves before it is answered.
        try client.send("GET \(pollTarget) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.reset()
        continue
      }
      // On a time that stands still, one poll after the end would wait for ever.
      for _ in 0..<generator.number(in: 1...8) where !shows(end) {
        switch way {
        case .poll, .compressedPoll: try poll(client)
        case .sync: try sync(client)
        case .events: break
        }
      }
      if way == .events { try readEvents(client, atMost: generator.number(in: 1...8), end) }
      if generator.chance(0.5) { client.reset() }
    }
    return hops
  }

  private func shows(_ text: String) -> Bool {
    String(decoding: replica.canonicalBytes(), as: UTF8.self).contains(text)
  }

  private var pollTarget: String {
    "\(Backend.viewModel)/diff?since=\(replica.revision)&have=\(ContentHash(of: replica.snapshot))&wait=1"
  }

  private mutating func poll(_ client: SocketClient) throws {
    let fields = way == .compressedPoll ? ["Accept-Encoding: gzip"] : []
    let reply = try client.get(pollTarget, fields: fields)
    if reply.status == 204 { return }
    let isCoded = reply["content-encoding"] == "gzip"
    try take(isCoded ? try Program.run("gzip", ["-dc"], input: reply.body) : reply.body)
  }

  private mutating func sync(_ client: SocketClient) throws {
    let screens: JSONValue = .object([replica.screen: ["since": .string(replica.revision)]])
    let body: JSONValue = ["screens": screens, "wait": 1]
    let reply = try client.request("POST", "/v1/sync", json: "\(body)")
    if reply.status == 204 { return }
    let answer = try JSONReader(JSONValue(parsing: reply.body)).member("screens")
    try take(try answer.member(replica.screen).value.canonicalBytes())
  }

  private mutating func readEvents(
    _ client: SocketClient, atMost count: Int, _ end: String
  ) throws {
    let stream = try EventConnection(
      client, "\(Backend.viewModel)/events", fields: ["Last-Event-ID: \(replica.revision)"])
    for _ in 0..<count {
      guard let event = try stream.nextDocument() else { return }
      try take(event.data)
      try require(event.id == replica.revision.string, "the id is the revision")
      if String(decoding: event.data, as: UTF8.self).contains(end) { return }
    }
  }

  private mutating func take(_ document: [UInt8]) throws {
    let kind = try JSONReader(JSONValue(parsing: document)).member("kind").string().string
    // A diff that does not start from the revision held is a gap, and is refused here.
    try replica.apply(document: document)
    hops.append(
      Hop(kind: kind, revision: replica.revision.string, bytes: replica.canonicalBytes()))
  }
}
