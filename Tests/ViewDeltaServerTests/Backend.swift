import CanonicalJSON
import Foundation
import HTTPTypes
import MicroHTTP
import Screens
import Snapshots
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

/// The whole application without a socket, on a time that the test moves: the profile takes three
/// seconds to load, the posts four.
struct Backend {
  let scheduler: ManualScheduler
  let application: Application

  init(scheduler: ManualScheduler, application: Application) {
    self.scheduler = scheduler
    self.application = application
  }

  /// The time at the start.
  static let start = Timestamp(secondsSince1970: 1_800_000_000)

  /// Two users; the first has a post, the second has none.
  static let data: JSONValue = [
    "users": [
      [
        "id": 1, "username": "ada", "website": "ada.example.com", "address": ["city": "Lagos"],
        "friendsCount": 42,
      ],
      ["id": 2, "username": "bruno"],
    ],
    "posts": [
      ["id": 1, "userId": 1, "title": "One", "body": "First.", "date": "2026-01-01T00:00:00Z"]
    ],
  ]

  /// Creates a backend with the profile and other features of the demo.
  init(
    _ features: DemoApplication.Features = [], data: JSONValue = Backend.data,
    allowsFaults: Bool = true,
    refreshPolicy: RefreshPolicy = .keepPrevious,
    logLimits: RevisionLogLimits = RevisionLogLimits(),
    configure: (inout DemoApplication) -> Void = { _ in }
  ) throws {
    let scheduler = ManualScheduler()
    let environment = ScreenEnvironment(
      scheduler: scheduler, logLimits: logLimits,
      now: { Self.start.advanced(by: scheduler.now) })
    var demo = DemoApplication(environment, features)
    demo.configuration.allowsFaults = allowsFaults
    demo.configuration.environment.settings.refreshPolicy = refreshPolicy
    demo.profile.data = try ProfileData(reading: JSONReader(data))
    demo.configuration.latencies = Latencies(["profile": .seconds(3), "posts": .seconds(4)])
    configure(&demo)
    self.init(scheduler: scheduler, application: try demo.make())
  }

  @discardableResult
  func call(
    _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields = [:],
    body: JSONValue? = nil
  ) async -> Answer {
    var fields = fields
    if body != nil, fields[.contentType] == nil { fields[.contentType] = "application/json" }
    let request = Request(
      method: method, target: target, fields: fields, body: body?.canonicalBytes() ?? [])
    return Answer(await application.router.respond(to: request))
  }

  @discardableResult
  func get(_ target: String, _ fields: HTTPFields = [:]) async -> Answer {
    await call(.get, target, fields)
  }
}

/// The profile of user 1.
extension Backend {
  static let viewModel = "/v1/view-models/profile/1"

  @discardableResult
  func send(_ type: String, query: String = "", _ fields: HTTPFields = [:]) async -> Answer {
    await call(
      .post, Self.viewModel + "/commands" + query, fields, body: ["type": .string(type)])
  }

  /// Loads both halves to the end.
  func load() async {
    await send("appear")
    scheduler.advance(by: .seconds(4))
  }

  var revision: String {
    get async throws { try await get(Self.viewModel).string("revision") }
  }

  func diff(_ query: String, _ fields: HTTPFields = [:]) async -> Answer {
    await get(Self.viewModel + "/diff?" + query, fields)
  }

  /// What a client that holds the profile of user 1 says in `have`, by the definition.
  var contentHash: String {
    get async throws {
      let document = try await get(Self.viewModel).json
      let content: JSONValue = [
        "sections": try document.member("sections").value,
        "states": try document.member("states").value,
      ]
      var hash = SHA256()
      hash.update(content.canonicalBytes())
      return Data(hash.finalize()).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
  }

  func revisions() async throws -> [String] {
    try await history(Self.viewModel + "/revisions").map {
      try $0.member("revision").string().string
    }
  }

  /// The entries of all pages of a history from the one at `target` on, oldest first.
  func history(_ target: String) async throws -> [JSONReader] {
    let answer = await get(target)
    let page = try answer.json.member("revisions").elements()
    guard let next = try answer.nextPage else { return page }
    return try await history(next) + page
  }
}

/// A reply, with the looks that tests take at it.
struct Answer {
  let status: Int
  let fields: HTTPFields
  let body: [UInt8]

  init(_ response: Response) {
    status = response.status.code
    fields = response.fields
    body = response.body
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  var json: JSONReader {
    get throws { JSONReader(try JSONValue(parsing: body)) }
  }

  func string(_ member: Text) throws -> String { try json.member(member).string().string }

  /// The rows of all sections of a view model.
  var rows: [JSONReader] {
    get throws {
      try json.member("sections").elements().flatMap { try $0.member("rows").elements() }
    }
  }

  func row(_ id: Text) throws -> JSONReader? {
    try rows.first { try $0.member("id").string() == id }
  }

  subscript(_ field: String) -> String? { HTTPField.Name(field).flatMap { fields[$0] } }

  /// Where Link says that the next page is; `nil` if there is none.
  var nextPage: String? {
    get throws {
      guard let link = self["Link"] else { return nil }
      let match = try #require(link.wholeMatch(of: /<(\/[^>]*)>; rel="next"/), "\(link)")
      return String(match.output.1)
    }
  }

  /// The stable word of a problem.
  var code: String? { try? string("code") }
  /// Where a problem's fault is in the body.
  var pointer: String? { try? string("pointer") }
}
