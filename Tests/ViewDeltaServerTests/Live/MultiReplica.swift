import CanonicalJSON
import TestSupport
import ViewDeltaClient

/// A client that holds many view models and is fed by the events of one stream alone. It refuses what a stream
/// must not send: a document again, a gap, an `id` that is not what the client holds afterwards.
struct MultiReplica {
  private(set) var replicas: [Text: Replica] = [:]
  /// The codes of the problems, by the names of the view models.
  private(set) var problems: [Text: String] = [:]
  /// The view models of the last event with a document, in the order of their names.
  private(set) var changed: [Text] = []
  private(set) var lastEventID = ""
  private let names: [Text]

  /// Creates a client that holds nothing of these view models yet.
  init(_ names: [Text]) {
    self.names = names
  }

  /// The query of the stream of all view models.
  var query: String { names.map { "screen=\($0)" }.joined(separator: "&") }

  /// Does what a client does with the events of a stream.
  mutating func take(_ events: [ServerSentEvent]) throws {
    for event in events {
      if let data = event.data { try take(document: data) }
      if let id = event.id { try take(id: id, isFirst: event.retry != nil) }
    }
  }

  private mutating func take(id: String, isFirst: Bool) throws {
    lastEventID = id
    let revisions = id.split(separator: ",").map { Text(String($0)) }
    try require(revisions.count == names.count, "\(id) does not name \(names.count) revisions")
    for (name, revision) in zip(names, revisions) {
      // The first event of a stream renames what the client holds.
      if isFirst { replicas[name]?.rename(to: revision) }
      let held = replicas[name]?.revision ?? problems[name].map { Text($0) }
      try require(held == nil || held == revision, "\(name) is \(revision) in the id")
    }
  }

  private mutating func take(document: [UInt8]) throws {
    let screens = try JSONReader(JSONValue(parsing: document)).member("screens")
    changed = try screens.memberNames
    for name in changed {
      let viewModel = try screens.member(name)
      switch try viewModel.member("kind").string() {
      case "problem":
        let code = try viewModel.member("code").string().string
        try require(problems[name] != code, "\(name) is \(code) again")
        problems[name] = code
        replicas[name] = nil
      case "diff":
        guard var replica = replicas[name] else { throw LawViolation("a diff of unknown \(name)") }
        try replica.apply(document: viewModel.value.canonicalBytes())
        replicas[name] = replica
      default:
        let replica = try Replica(document: viewModel.value.canonicalBytes())
        try require(replicas[name]?.revision != replica.revision, "\(name) comes again")
        replicas[name] = replica
        problems[name] = nil
      }
    }
  }

  /// Checks that each view model is what the server shows, byte for byte.
  func compare(with backend: Backend) async throws {
    for (name, code) in problems {
      let answer = await backend.get("/v1/view-models/\(name)")
      try require(answer.code == code, "\(name) is not \(code)")
    }
    for (name, replica) in replicas {
      let answer = await backend.get("/v1/view-models/\(name)")
      var current = replica
      // A change that cannot be seen renames what the client holds, and is not sent.
      current.rename(to: Text(try answer.string("revision")))
      try require(current.canonicalBytes() == answer.body, "\(name) is not what the server shows")
    }
  }

  /// The title of a row in the first section of a view model.
  func title(of name: Text, row: Int) -> String? {
    guard let bytes = replicas[name]?.canonicalBytes() else { return nil }
    let sections = try? JSONReader(JSONValue(parsing: bytes)).member("sections").elements()
    return try? sections?.first?.member("rows").elements()[row].member("title").string().string
  }
}
