import CanonicalJSON
import Foundation
import TestSupport
import Testing

/// Texts that Swift's strings and Unicode take for equal are different content: what a client
/// writes over the one with the other must arrive.
@Suite("Text that only looks the same")
struct TextWriteTests {
  /// Each pair is canonically equivalent and differs in its bytes.
  static let pairs = [("caf\u{E9}", "cafe\u{301}"), ("\u{3B}", "\u{37E}"), ("K", "\u{212A}")]

  /// Somewhere that a client can write text to: `TEXT` in the body gives way to the text.
  struct Place: Sendable {
    let method: String
    let path: String
    let body: String
    /// Where what was written is read; `nil` where that is the path of the write.
    var resource: String?
    /// The view model that shows it; `nil` where none does.
    var viewModel: String?
  }

  private static let catalog = "/v1/view-models/catalog/1"
  private static let form = "/v1/view-models/form/1"
  private static let profile = "/v1/view-models/profile/1"
  private static let podcasts = "/v1/view-models/podcasts/1"
  private static let board = "/v1/view-models/scoreboard/1"
  private static let boards = "/v1/view-models/scoreboards/all"

  static let places: [Place] = [
    patch("users/1", #"{"username":"TEXT"}"#, profile),
    patch("users/1", #"{"name":"TEXT"}"#, profile),
    patch("users/1", #"{"website":"TEXT"}"#, profile),
    patch("users/1", #"{"address":{"city":"TEXT"}}"#, profile),
    patch("users/1", #"{"avatarURL":"https://a.b/TEXT"}"#, profile),
    patch("users/1", #"{"email":"TEXT"}"#, nil),
    put("users/1", #"{"username":"TEXT"}"#, profile),
    patch("users/1/posts/1", #"{"title":"TEXT"}"#, profile),
    patch("users/1/posts/1", #"{"body":"TEXT"}"#, profile),
    put("users/1/posts/1", #"{"title":"TEXT","body":"b"}"#, profile),
    patch("listeners/1", #"{"name":"TEXT"}"#, podcasts),
    put("listeners/1", #"{"name":"TEXT"}"#, podcasts),
    patch("listeners/1/podcasts/1", #"{"title":"TEXT"}"#, podcasts),
    patch("listeners/1/podcasts/1", #"{"author":"TEXT"}"#, podcasts),
    patch("listeners/1/podcasts/1", #"{"artworkURL":"https://a.b/TEXT"}"#, podcasts),
    patch("listeners/1/podcasts/1", #"{"latestEpisode":{"title":"TEXT"}}"#, podcasts),
    put("listeners/1/podcasts/1", #"{"title":"TEXT"}"#, podcasts),
    // A date that is none leaves the rows as they are.
    patch("listeners/1/podcasts/1", #"{"latestEpisode":{"date":"TEXT"}}"#, nil),
    patch("scoreboards/1", #"{"title":"TEXT"}"#, board),
    patch("scoreboards/1", #"{"title":"TEXT"}"#, boards),
    put("scoreboards/1", #"{"title":"b","players":[{"id":1,"name":"TEXT"}]}"#, board),
    patch("scoreboards/1/players/1", #"{"name":"TEXT"}"#, board),
    put("scoreboards/1/players/1", #"{"name":"TEXT"}"#, boards),
    command(board, #"{"type":"renameBoard","title":"TEXT"}"#, "scoreboards/1"),
    command(boards, #"{"type":"renameBoard","board":1,"title":"TEXT"}"#, "scoreboards/1"),
    command(board, #"{"type":"renamePlayer","player":1,"name":"TEXT"}"#, "scoreboards/1"),
    put("catalogs/1", #"{"sections":[{"id":"s","title":"TEXT"}]}"#, catalog),
    put("catalogs/1", item(#"{"id":"i","title":"TEXT"}"#), catalog),
    put("catalogs/1", item(#"{"id":"i","title":"t","detail":"TEXT"}"#), catalog),
    patch("catalogs/1", item(#"{"id":"i","title":"t","badge":"TEXT"}"#), catalog),
    apply(
      "reloadSections", #""sections":[{"id":"s","title":"TEXT","items":[{"id":"i","title":"t"}]}]"#),
    apply("renameSection", #""section":"s","title":"TEXT""#),
    apply("reloadItems", #""items":[{"id":"i","title":"TEXT"}]"#),
    apply("reconfigureItems", #""items":[{"id":"i","title":"TEXT"}]"#),
    apply("reconfigureItems", #""items":[{"id":"i","detail":"TEXT"}]"#),
    apply("reconfigureItems", #""items":[{"id":"i","badge":"TEXT"}]"#),
    patch("companies/1", #"{"name":"TEXT"}"#, nil),
    patch("companies/1", #"{"city":"TEXT"}"#, nil),
    put("companies/1", #"{"name":"TEXT","city":"c","taxNumber":"DE136695976"}"#, nil),
    patch("forms/1", #"{"title":"TEXT"}"#, form),
    put("forms/1", #"{"title":"t","sections":[{"id":"s","title":"TEXT"}]}"#, form),
    describe(#"{"id":"r","kind":"header","text":"TEXT"}"#),
    describe(#"{"id":"r","kind":"group","text":"TEXT"}"#),
    describe(#"{"id":"r","kind":"button","does":"reset","text":"TEXT"}"#),
    describe(#"{"id":"r","kind":"text","label":"TEXT"}"#),
    describe(#"{"id":"r","kind":"text","label":"l","placeholder":"TEXT"}"#),
    describe(#"{"id":"r","kind":"text","label":"l","default":"TEXT"}"#),
    describe(#"{"id":"r","kind":"text","label":"l","errorText":"TEXT"}"#, isShown: false),
    describe(#"{"id":"r","kind":"dropdown","label":"l","options":[{"id":"o","title":"TEXT"}]}"#),
    describe(#"{"id":"r","kind":"dropdown","label":"l","options":[{"id":"TEXT","title":"t"}]}"#),
    describe(
      #"{"id":"r","kind":"dropdown","label":"l","default":"TEXT","options":[{"id":"TEXT","title":"t"}]}"#
    ),
    command(form, #"{"type":"didChange","row":"field","value":"TEXT"}"#, nil),
    command(
      form,
      #"{"type":"apply","operations":[{"operation":"replace","row":"field","with":{"id":"field","kind":"text","label":"TEXT"}}]}"#,
      nil),
    patch("forms/1/entries/1", #"{"text":"TEXT"}"#, form),
    patch("forms/1/entries/1", #"{"answers":{"a":"TEXT"}}"#, nil),
    put("forms/1/entries/1", #"{"text":"t","date":"2026-01-01","answers":{"TEXT":"a"}}"#, nil),
  ]

  @Test("takes the place of its equivalent, wherever a client can write it")
  func writes() async throws {
    try await SocketThread.run {
      let server = try TextServer()
      for place in Self.places {
        try server.startOver()
        for (first, second) in Self.pairs {
          for text in [first, second, first] { try server.write(text, to: place) }
        }
      }
    }
  }

  /// Collections whose elements are told by their ids, each with one element of the id `TEXT`.
  static let collections: [(path: String, element: String)] = [
    ("users", #"{"id":"TEXT","username":"u"}"#),
    ("users/1/posts", #"{"id":"TEXT","title":"t","body":"b"}"#),
    ("listeners", #"{"id":"TEXT","name":"n"}"#),
    ("listeners/1/podcasts", #"{"id":"TEXT","title":"t"}"#),
    ("scoreboards", #"{"id":"TEXT","title":"t"}"#),
    ("scoreboards/1/players", #"{"id":"TEXT","name":"n"}"#),
    ("catalogs", #"{"id":"TEXT"}"#),
    ("companies", #"{"id":"TEXT","name":"n","city":"c","taxNumber":"DE136695976"}"#),
    ("forms", #"{"id":"TEXT","title":"t"}"#),
    ("forms/1/entries", #"{"id":"TEXT","text":"t","date":"2026-01-01"}"#),
  ]

  @Test("is another id than its equivalent, in every collection")
  func ids() async throws {
    try await SocketThread.run {
      let server = try TextServer()
      let client = server.client
      for (path, element) in Self.collections {
        for (first, second) in Self.pairs {
          let made = try [first, second].map { id in
            let reply = try client.request(
              "POST", "/v1/" + path, json: element.replacing("TEXT", with: id))
            try require(reply.status == 201, "\(path) \(id) is \(reply.status): \(reply.text)")
            return try client.get(try #require(reply["location"]))
          }
          #expect(made[0].has(first) && made[1].has(second), "\(path) \(first)")
          #expect(try client.request("DELETE", path.appending(first)).status == 204)
          #expect(try client.get(path.appending(first)).status == 404)
          // Not the whole reply: its date may be another one.
          #expect(try client.get(path.appending(second)).body == made[1].body)
        }
      }
    }
  }

  @Test("names another member than its equivalent, of one object")
  func members() async throws {
    try await SocketThread.run {
      let server = try TextServer()
      let client = server.client
      for (first, second) in Self.pairs {
        let path = "/v1/forms/1/entries/1"
        let answers = { (members: JSONValue) throws -> JSONValue in
          try client.send("PATCH", path, ["answers": members])
          return try client.json(path).member("answers").value
        }
        let (one, other) = (Text(first), Text(second))
        #expect(try answers(.object([one: 1])).member(one) == 1)
        let both = try answers(.object([other: 2]))
        #expect(both.member(one) == 1 && both.member(other) == 2)
        let rest = try answers(.object([one: nil]))
        #expect(rest.member(one) == nil && rest.member(other) == 2)
      }
    }
  }

  @Test("keys another view model than its equivalent, in one poll and where faults are scripted")
  func keys() async throws {
    try await SocketThread.run {
      let server = try TextServer()
      let client = server.client
      let texts = Self.pairs.flatMap { [$0, $1] }
      for text in texts {
        try client.send("POST", "/v1/users", ["id": .string(text), "username": "u"])
      }
      let names = texts.map { (Text("profile/\($0)"), JSONValue.object([:])) }
      let body: JSONValue = ["screens": .object(Dictionary(uniqueKeysWithValues: names))]
      let reply = try client.send("POST", "/v1/sync", body)
      let screens = try JSONReader(JSONValue(parsing: reply.body)).member("screens")
      for (name, _) in names {
        #expect(try screens.member(name).member("screen").string() == name)
      }
      let faults = "/v1/faults/profile"
      for (first, second) in Self.pairs {
        try client.send("PUT", faults.appending(first), ["then": "fail"])
        #expect(try client.json(faults.appending(second)).member("then").string() == "succeed")
      }
    }
  }

  @Test("is the id of another row than its equivalent, in a form that is sent and in a catalog")
  func rows() async throws {
    try await SocketThread.run {
      let server = try TextServer()
      let client = server.client
      for (first, second) in Self.pairs {
        let fields = [first, second].map { id in
          #"{"id":"\#(id)","kind":"text","label":"l"}"#
        }.joined(separator: ",")
        let form = #"{"title":"t","sections":[{"id":"s","rows":[\#(fields)]}]}"#
        try client.send("PUT", "/v1/forms/1", JSONValue(parsing: Array(form.utf8)))
        let commands = Self.form + "/commands"
        for (id, value) in [(first, "1"), (second, "2")] {
          try client.send(
            "POST", commands, ["type": "didChange", "row": .string(id), "value": .string(value)])
        }
        try client.send("POST", commands, ["type": "submit"])
        _ = try client.settled(Self.form)
        let sent = try client.json("/v1/forms/1/entries").elements().compactMap {
          try $0.optionalMember("answers")?.value
        }
        #expect(sent.contains(.object([Text(first): "1", Text(second): "2"])))

        let items = [first, second].map { #"{"id":"\#($0)","title":"t"}"# }.joined(separator: ",")
        let catalog = #"{"sections":[{"id":"\#(first)","items":[\#(items)]},{"id":"\#(second)"}]}"#
        try client.send("PUT", "/v1/catalogs/1", JSONValue(parsing: Array(catalog.utf8)))
        for operation in [
          #"{"operation":"moveItem","id":"\#(first)","after":"\#(second)"}"#,
          #"{"operation":"moveSection","id":"\#(first)","after":"\#(second)"}"#,
          #"{"operation":"deleteItems","ids":["\#(first)"]}"#,
          #"{"operation":"deleteSections","ids":["\#(second)"]}"#,
        ] {
          let command = #"{"type":"apply","operations":[\#(operation)]}"#
          try client.send(
            "POST", Self.catalog + "/commands", JSONValue(parsing: Array(command.utf8)))
        }
        let rest = try client.json("/v1/catalogs/1/items").member("itemIdentifiers").value
        #expect(rest == [.string(second)])
        let section = try client.json("/v1/catalogs/1/sections").member("sectionIdentifiers").value
        #expect(section == [.string(first)])
      }
    }
  }

  private static func patch(_ resource: String, _ body: String, _ viewModel: String?) -> Place {
    Place(method: "PATCH", path: "/v1/\(resource)", body: body, viewModel: viewModel)
  }

  private static func put(_ resource: String, _ body: String, _ viewModel: String?) -> Place {
    Place(method: "PUT", path: "/v1/\(resource)", body: body, viewModel: viewModel)
  }

  /// A command; what it wrote is read from a resource, and else from the view model.
  private static func command(_ viewModel: String, _ body: String, _ resource: String?) -> Place {
    Place(
      method: "POST", path: viewModel + "/commands", body: body,
      resource: resource.map { "/v1/\($0)" } ?? viewModel, viewModel: viewModel)
  }

  private static func apply(_ operation: String, _ members: String) -> Place {
    command(
      catalog, #"{"type":"apply","operations":[{"operation":"\#(operation)",\#(members)}]}"#,
      "catalogs/1")
  }

  private static func item(_ item: String) -> String {
    #"{"sections":[{"id":"s","items":[\#(item)]}]}"#
  }

  /// A form of one row.
  private static func describe(_ row: String, isShown: Bool = true) -> Place {
    put(
      "forms/1", #"{"title":"t","sections":[{"id":"s","rows":[\#(row)]}]}"#, isShown ? form : nil)
  }
}

extension String {
  /// The path of the resource of an id in this collection.
  fileprivate func appending(_ id: String) -> String {
    let bytes = id.utf8.map { "%" + String(Int($0) + 0x100, radix: 16).suffix(2) }
    return (hasPrefix("/") ? self : "/v1/" + self) + "/" + bytes.joined()
  }
}

extension JSONValue {
  fileprivate func member(_ name: Text) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }
}
