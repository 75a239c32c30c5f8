import CanonicalJSON
import Foundation
import TestSupport
import Testing

/// The view models in `Tests/Fixtures/form`: the bytes of the sections that clients have had since the first
/// release, with the members that rows have got since.
@Suite("The wire format of a form")
struct FormWireTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/form", isDirectory: true)

  @Test(
    "stays as it was", arguments: [("small", 2, false), ("empty", 1, false), ("filled", 1, true)])
  func bytes(name: String, form: Int, isFilled: Bool) async throws {
    let backend = try Backend(.forms)
    let viewModel = "/v1/view-models/form/\(form)"
    let commands: [JSONValue] = [
      ["type": "didChange", "row": "email", "value": "nobody"],
      ["type": "didChange", "row": "isFirm", "value": true],
      ["type": "didChange", "row": "taxNumber", "value": "DE136695976"],
      ["type": "didTap", "row": "send"], ["type": "didSelect", "row": "tools"],
    ]
    for command in isFilled ? commands : [] {
      let answer = await FormEndpointTests.send(backend, command, to: viewModel)
      #expect([200, 202].contains(answer.status), "\(command)")
    }
    backend.scheduler.advance(by: .zero)
    let shown = try await backend.get(viewModel).json
    let members: [Text] = ["digest", "sections", "states"]
    let found = JSONValue.object(
      Dictionary(uniqueKeysWithValues: try members.map { ($0, try shown.member($0).value) }))
    let file = try Data(contentsOf: Self.folder.appendingPathComponent("\(name).json"))
    #expect(found.canonicalBytes() + [UInt8(ascii: "\n")] == Array(file))
  }
}
