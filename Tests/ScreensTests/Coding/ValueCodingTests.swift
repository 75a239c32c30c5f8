import CanonicalJSON
import TestSupport
import Testing

@testable import Screens
@testable import ViewState

@Suite("A resource, an edit or a ledger as JSON")
struct ValueCodingTests {
  @Test("reads back as it was")
  func roundTrip() throws {
    try withSeeds(150) { random in
      try requireCoding(random.id(), &random)
      try requireCoding(random.moment(), &random)
      try requireCoding(random.token(), &random)
      try requireCoding(random.user(), &random)
      try requireCoding(random.post(), &random)
      try requireCoding(Listener(id: random.id(), name: random.text()), &random)
      try requireCoding(random.feedItem(), &random)
      try requireCoding(random.podcasts(), &random)
      try requireCoding(random.company(), &random)
      try requireCoding(random.entry(), &random)
      let write = random.scoreboardWrite()
      let json = try JSONValue(encoding: write)
      let again = try JSONValue(encoding: json.decode(ScoreboardWrite.self))
      try require(again == json, "\(json) is written as \(again) then")
      try requireCoding(random.scoreboard(), &random)
      try requireCoding(random.catalogOperation(), &random)
      try requireCoding(random.faultScript(), &random)
      try requireCoding(random.pick(RefreshPolicy.allCases), &random)
      try requireCoding(
        PartWork(part: random.pick(FormSource.allCases).rawValue, request: ["a": random.json()]),
        &random)
      try requireCoding(PageRequest.after(random.entry().position), &random)
    }
    var random = SeededGenerator(seed: 1)
    try requireCoding(Post.limits, &random)
    try requireCoding(ScoreboardLimits(), &random)
    try requireCoding(CatalogLimits(), &random)
    var ledger = WriteLedger()
    let user = random.user()
    _ = ledger.take(user, inPlaceOf: nil, limit: .max)
    // The bytes of what a ledger counts are not written.
    ledger.release(user)
    #expect(try requireCoding(ledger, &random).version == 2)
    try requireCoding(Versioned(resource: random.post(), version: 7), &random)
  }

  @Test("keeps an id a number or a string, and has objects for dictionaries with ids")
  func spelling() throws {
    let ids: [ResourceID] = [1, 2].map { ResourceID($0) } + ["1", "02", ""]
    #expect(try JSONValue(encoding: ids) == [1, 2, "1", "02", ""])
    let json: JSONValue = [1, "1", 0, "a/b"]
    #expect(try JSONValue(encoding: json.decode([ResourceID].self)) == json)
    let faults: [ResourceID: [Text: FaultScript]] = [
      ResourceID(1): ["posts": FaultScript(then: .fail)], "b": [:],
    ]
    let written = try JSONValue(encoding: faults)
    #expect(written == ["1": ["posts": ["outcomes": [], "then": "fail"]], "b": [:]])
    #expect(try written.decode([ResourceID: [Text: FaultScript]].self) == faults)
  }

  @Test("has the form that clients write")
  func form() throws {
    let operation: JSONValue = [
      "operation": "reconfigureItems",
      "items": [["id": 1, "detail": nil], ["id": "2", "title": "T", "badge": "B"]],
    ]
    #expect(try JSONValue(encoding: CatalogOperation(JSONReader(operation))) == operation)
    let user: JSONValue = ["id": "7", "username": "ada", "address": ["city": "Lagos"]]
    #expect(try JSONValue(encoding: User(JSONReader(user))) == user)
    #expect(
      try JSONValue(encoding: Timestamp(secondsSince1970: 0)) == "1970-01-01T00:00:00Z")
  }

  @Test("is refused if it breaks a rule that what it stands for has to hold")
  func refusals() throws {
    func place<Value: Decodable>(_: Value.Type, _ json: JSONValue) throws -> String {
      try #require(throws: JSONShapeError.self) { try json.decode(Value.self) }
        .pointer.description
    }
    #expect(try place([Timestamp].self, ["2026-01-01", "2026-02-30"]) == "/1")
    #expect(try place([LoadToken].self, [-1]) == "/0")
    #expect(try place(LoadToken.self, "9223372036854775807") == "")
    #expect(try place([ResourceID].self, [0, -1]) == "/1")
    #expect(
      try place(User.self, ["id": 1, "username": "a", "friendsCount": -1]) == "/friendsCount")
    #expect(try place([TaxNumber].self, ["DE136695977"]) == "/0")
    #expect(try place(FaultScript.self, ["latencyMilliseconds": -1]) == "/latencyMilliseconds")
    let player: JSONValue = ["id": 1, "name": "A", "score": 1_000_000_001]
    #expect(try place([Player].self, [player]) == "/0/score")
    #expect(try place([Player].self, [player.mergePatched(with: ["score": 0, "x": 1])]) == "/0/x")
    let same = player.mergePatched(with: ["score": 0])
    let board: JSONValue = ["id": 1, "title": "T", "players": [same, same]]
    #expect(try place(Scoreboard.self, board) == "/players/1/id")
    let company: JSONValue = ["id": 1, "taxNumber": "DE136695977", "name": "N", "city": "C"]
    #expect(try place([Company].self, [company]) == "/0/taxNumber")
  }

  @Test("is not written if nothing could read it")
  func unwritable() throws {
    for script in [
      FaultScript(latency: .microseconds(1_500)), FaultScript(latency: .seconds(601)),
      FaultScript(latency: .milliseconds(-1)),
    ] {
      let error = try #require(throws: JSONShapeError.self) { try JSONValue(encoding: [script]) }
      #expect(error.pointer.description == "/0")
    }
  }
}
